/**
 * Ids that go on ascending after a restart, also when the wall clock has stepped back meanwhile:
 * a time that no id has reached yet is kept in the store, and the next process starts behind it.
 * Several servers share that time; between them, ids are in order as far as their clocks are.
 */
import { INSTALLATION, keyspace } from '../storage/store/keyspace.js';
import type { Transactions, WriteTx } from '../storage/store/store.js';
import { Subspace } from '../storage/store/subspace.js';
import { jsonLayout } from '../storage/store/layouts.js';
import type { Clock } from './ports/clock.js';
import type { Entropy } from './ports/entropy.js';
import { type NewId, uuidV7Generator } from './ports/ids.js';

/** How far the kept time runs ahead, so that it is written once in a while and not with each id. */
const LEASE_MS = 2_000;

/** Unix milliseconds. */
const floors = new Subspace(keyspace.idFloor, jsonLayout<number>(1));

/** The subspace of this file, by its name in the key space. */
export const idSubspaces = { idFloor: floors };

/** Ids of one opening of a store. */
export interface DurableIds {
  readonly newId: NewId;
  /**
   * Keeps the time of the last id in place of the one ahead, before the store is closed. Where
   * others make ids too, theirs may lie up to the time that is kept, so it stays.
   */
  settleIds(): Promise<void>;
}

/** Ids that lie behind all that were made with this store before. */
export async function durableIds(
  store: Transactions,
  clock: Clock,
  entropy: Entropy,
): Promise<DurableIds> {
  const floorMs = (await store.read((tx) => floors.get(tx, INSTALLATION))) ?? -1;
  const keepAtLeast = (timeMs: number): Promise<void> =>
    store.transact((tx) => {
      const keptMs = floors.get(tx, INSTALLATION) ?? -1;
      if (keptMs < timeMs) floors.put(tx, timeMs, INSTALLATION);
    });
  let leasedMs = floorMs;
  let usedMs = floorMs;
  const onTime = (timeMs: number): void => {
    usedMs = timeMs;
    if (timeMs <= leasedMs) return;
    leasedMs = timeMs + LEASE_MS;
    // Queued before the transaction that will use the id; what makes this one fail fails that too.
    keepAtLeast(leasedMs).catch(() => undefined);
  };
  return {
    newId: uuidV7Generator(clock, entropy, { floorMs, onTime }),
    settleIds: async () => {
      if (store.isShared || usedMs <= floorMs) return;
      const settle = (tx: WriteTx): void => {
        floors.put(tx, usedMs, INSTALLATION);
      };
      // Should it fail, the time ahead stays kept, and ids skip a little.
      await store.transact(settle).catch(() => undefined);
    },
  };
}
