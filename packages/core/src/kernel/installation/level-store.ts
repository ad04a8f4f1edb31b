/** The level of a store, and the servers that have a shared store open. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { type Levels, levelContents, LEVEL_RAISE_AFTER_MS } from '../../contract/levels.js';
import { CONTRACT_DOCUMENT_VERSION } from '../../contract/version.js';
import { copyBytes } from '../../storage/store/bytes.js';
import { defineFamily, working } from '../../storage/store/family.js';
import { fieldsLayout, number, text } from '../../storage/store/fields.js';
import { INSTALLATION, KEYS_END } from '../../storage/store/key.js';
import { EPOCH_KEY } from '../../storage/store/position.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { Row } from '../../storage/store/subspace.js';
import { isAlive, type ServerState, type StoredLevel, supports } from './level-decision.js';
import { findMarker, putMarker } from './marker-store.js';

/** Most servers that are read and listed. */
const SERVERS_MAX = 1_000;

/** Installation: a server that has the store open, its version and levels, by a random id. */
export const servers = defineFamily({
  name: 'servers',
  number: 118,
  key: ['text'],
  layout: fieldsLayout<ServerState>(1, {
    version: text,
    oldest: number,
    newest: number,
    startedAtMillis: number,
    seenAtMillis: number,
  }),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Below a level of its own, every store has this one. */
const FIRST: StoredLevel = { level: 1, version: '', olderLeftAtMillis: null };

/** Returns the level of a store. */
function levelIn(tx: ReadTx): StoredLevel {
  const stored = findMarker(tx, 'level');
  if (stored === undefined) return FIRST;
  const [level, version, olderLeftAtMillis] = stored as [number, string, number | null];
  return { level, version, olderLeftAtMillis };
}

/** Stores the level. */
export function putLevel(tx: WriteTx, next: StoredLevel): void {
  putMarker(tx, 'level', [next.level, next.version, next.olderLeftAtMillis]);
}

/** Returns whether nothing was ever stored. */
export function isEmpty(tx: ReadTx): boolean {
  for (const { key } of tx.range({ from: new Uint8Array(), to: KEYS_END, limit: 2 })) {
    if (Buffer.compare(key, EPOCH_KEY) !== 0) return false;
  }
  return true;
}

/** Yields all servers of the store. */
function allServers(tx: ReadTx): Iterable<Row<ServerState>> {
  return servers.rows(tx, INSTALLATION, { prefix: [], limit: SERVERS_MAX });
}

/** Returns the servers that are alive, but for one by its id. */
export function aliveServers(tx: ReadTx, nowMs: number, exceptId?: string): ServerState[] {
  const except = exceptId === undefined ? undefined : servers.keyOf(INSTALLATION, exceptId);
  const alive: ServerState[] = [];
  for (const { key, value } of allServers(tx)) {
    const isExcepted = except !== undefined && Buffer.compare(key, except) === 0;
    if (!isExcepted && isAlive(value, nowMs)) alive.push(value);
  }
  return alive;
}

/** Removes servers that are gone. */
export function removeGone(tx: WriteTx, nowMs: number): void {
  const gone: Uint8Array[] = [];
  for (const { key, value } of allServers(tx)) {
    if (!isAlive(value, nowMs)) gone.push(copyBytes(key));
  }
  for (const key of gone) tx.remove(key);
}

/**
 * Checks that a version may use a store.
 * @throws {AgentkeepError} `store_incompatible`, with what to do.
 */
export function requireLevel(tx: ReadTx, levels: Levels): StoredLevel {
  const found = levelIn(tx);
  if (supports(levels, found) || isEmpty(tx)) return found;
  const { oldest, newest } = levels;
  const own = `this version, ${CONTRACT_DOCUMENT_VERSION}, supports ${oldest} to ${newest}`;
  const what =
    found.level > newest
      ? `Start version ${found.version} or a later one.`
      : 'Start the version before this one, and raise the level with it: `agentkeep level raise`.';
  throw new AgentkeepError('store_incompatible', {
    message: `The store has feature level ${found.level}, and ${own}. ${what}`,
  });
}

/** The level of a store and who uses it, as commands and probes show it. */
export interface LevelReport {
  readonly level: number;
  /** What a store may hold from this level on. */
  readonly holds: string;
  /** The highest level of this version. */
  readonly newest_level: number;
  /** When it is raised without being asked, if no older server comes back; null if it isn't due. */
  readonly raised_at_millis: number | null;
  /** The servers that have a shared store open, oldest first; none of a data directory. */
  readonly servers: readonly ShownServer[];
}

/** A server that has a store open. */
export interface ShownServer {
  readonly version: string;
  readonly oldest_level: number;
  readonly newest_level: number;
  readonly started_at_millis: number;
  readonly seen_at_millis: number;
}

/** Returns a server as it is shown. */
export function shownServer(server: ServerState): ShownServer {
  return {
    version: server.version,
    oldest_level: server.oldest,
    newest_level: server.newest,
    started_at_millis: server.startedAtMillis,
    seen_at_millis: server.seenAtMillis,
  };
}

/** Returns the level of a store, which may have any level. */
export function levelReport(tx: ReadTx, levels: Levels, nowMs: number): LevelReport {
  const { level, olderLeftAtMillis } = levelIn(tx);
  const found = aliveServers(tx, nowMs);
  return {
    level,
    holds: levelContents[level - 1] ?? 'what a later version stores',
    newest_level: levels.newest,
    raised_at_millis: olderLeftAtMillis === null ? null : olderLeftAtMillis + LEVEL_RAISE_AFTER_MS,
    servers: found
      .toSorted((one, other) => one.startedAtMillis - other.startedAtMillis)
      .map(shownServer),
  };
}
