/** Decides whether a version may use a store, and when the level of the store is raised. */
import { type Levels, LEVEL_RAISE_AFTER_MS, SERVER_GONE_MS } from '../../contract/levels.js';

/** What a store remembers of its level. */
export interface StoredLevel {
  readonly level: number;
  /** The version that raised it, or that made the store. */
  readonly version: string;
  /** Since when every server has supported a higher level; null while one doesn't. */
  readonly olderLeftAtMillis: number | null;
}

/** A server that has a shared store open. */
export interface ServerState extends Levels {
  readonly version: string;
  readonly startedAtMillis: number;
  /** Its last sign of life. */
  readonly seenAtMillis: number;
}

/** Returns whether a version may read and write a store. */
export function supports({ oldest, newest }: Levels, { level }: StoredLevel): boolean {
  return oldest <= level && level <= newest;
}

/** Returns whether a server has given a sign of life lately. */
export function isAlive({ seenAtMillis }: ServerState, nowMs: number): boolean {
  return nowMs - seenAtMillis < SERVER_GONE_MS;
}

/** Returns the highest level that every one of them supports; there is at least one. */
function supportedByAll(servers: readonly Levels[]): number {
  return Math.min(...servers.map(({ newest }) => newest));
}

/** What a level is decided by. `servers` are those that are alive, the deciding one among them. */
export interface LevelSituation {
  readonly servers: readonly Levels[];
  readonly version: string;
  readonly nowMs: number;
  /** Whether the level may be raised without being asked. */
  readonly isAutomatic: boolean;
}

/** Returns what a store remembers next; the same value if nothing changes. */
export function nextLevel(found: StoredLevel, situation: LevelSituation): StoredLevel {
  const { servers, version, nowMs, isAutomatic } = situation;
  const level = supportedByAll(servers);
  const { olderLeftAtMillis } = found;
  if (level <= found.level) {
    return olderLeftAtMillis === null ? found : { ...found, olderLeftAtMillis: null };
  }
  if (olderLeftAtMillis === null) return { ...found, olderLeftAtMillis: nowMs };
  if (!isAutomatic || nowMs - olderLeftAtMillis < LEVEL_RAISE_AFTER_MS) return found;
  return { level, version, olderLeftAtMillis: null };
}
