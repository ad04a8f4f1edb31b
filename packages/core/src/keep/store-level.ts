/** The level of a store, as operators see and raise it. */
import { requireArguments } from '../contract/errors/arguments.js';
import { LEVELS } from '../contract/levels.js';
import type { LevelRaise } from '../kernel/installation/level-keeper.js';
import { type LevelReport, levelReport } from '../kernel/installation/level-store.js';
import { systemClock } from '../kernel/ports/clock.js';
import { withFoundStore } from '../storage/lmdb-store/with-found-store.js';
import type { Store } from '../storage/store/store.js';
import { type Keep, levelKeeperOf } from './keep.js';

/** Where to read a level: a directory that a process may serve, or a store that is open. */
type LeveledStore =
  | { readonly dataDir: string; readonly store?: undefined }
  | { readonly store: Pick<Store, 'read'>; readonly dataDir?: undefined };

/**
 * The feature level of a store, which decides what may be written to it, and the servers that have
 * it open.
 * @example
 * ```ts
 * import { inMemoryStore, openKeep } from '@agentkeep/core';
 * import { storeLevel } from '@agentkeep/core/operator';
 *
 * await using keep = await openKeep({ store: inMemoryStore(), raiseLevel: false });
 * const { level, servers } = storeLevel.of(keep);
 * if (level !== 1 || servers.length !== 1) throw new Error('unexpected');
 * const { is_raised } = await storeLevel.raise(keep);
 * console.log(is_raised); // false: a new store has the newest level
 * ```
 */
export const storeLevel = {
  /** Returns the level of an open keep, as it was at most ten seconds ago, from memory. */
  of(keep: Keep): LevelReport {
    return levelKeeperOf(keep).report;
  },

  /**
   * Raises the level to the newest of this version. Older versions are refused from then on, and it
   * never goes down. While a server doesn't support that level, nothing is changed, and the result
   * names the server.
   * @throws {AgentkeepError} `store_unavailable`, `store_full`.
   */
  async raise(keep: Keep): Promise<LevelRaise> {
    return levelKeeperOf(keep).raise();
  },

  /**
   * Reads the level of a store, whatever it is. While another process serves the directory, that of
   * a copy as of its last commit.
   * @throws {AgentkeepError} `store_incompatible` if there is no store; `store_in_use` if this
   * process has it open; `store_full` or `store_unavailable` if it cannot be copied.
   */
  async read(location: LeveledStore): Promise<LevelReport> {
    requireArguments('storeLevel.read()', { location });
    if (location.store === undefined) return withFoundStore(location.dataDir, read);
    return read(location.store);
  },
};

function read(store: Pick<Store, 'read'>): Promise<LevelReport> {
  return store.read((tx) => levelReport(tx, LEVELS, systemClock.now()));
}
