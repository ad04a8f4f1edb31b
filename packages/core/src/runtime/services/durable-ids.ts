/**
 * Ids that keep ascending after a restart, even if the wall clock has stepped back: a time that no
 * id has reached yet is stored, and the next process starts after it. Several servers share that
 * time; between them, ids are as ordered as their clocks.
 */
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import { type NewId, uuidV7Generator } from '../ports/ids.js';

/** How far the stored time runs ahead, so that it is not written with each id. */
const LEASE_MS = 2_000;

/** Unix milliseconds. */
const floors = new Subspace(keyspace.idFloor, jsonLayout<number>(1));

/** The subspace of this file, by its name in the key space. */
export const idSubspaces = { idFloor: floors };

/** Ids of one opening of a store. */
export interface DurableIds {
  readonly newId: NewId;
  /**
   * Stores the time of the last id instead of the later one, before the store is closed. Does
   * nothing over a shared store, where ids of other servers may reach up to the stored time.
   */
  settleIds(): Promise<void>;
}

/** Returns a generator whose ids follow all that were made with this store before. */
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
    // Queued before the transaction that will use the id; an error that fails this one fails that
    // one too.
    keepAtLeast(leasedMs).catch(() => undefined);
  };
  return {
    newId: uuidV7Generator(clock, entropy, { floorMs, onTime }),
    settleIds: async () => {
      if (store.isShared || usedMs <= floorMs) return;
      const settle = (tx: WriteTx): void => {
        floors.put(tx, usedMs, INSTALLATION);
      };
      // If this fails, the later time stays stored, and ids skip a little.
      await store.transact(settle).catch(() => undefined);
    },
  };
}
