/**
 * Ids that keep ascending after a restart, even if the wall clock has stepped back: a time that no
 * id has reached yet is stored, and the next process starts after it. Several servers share that
 * time; between them, ids are as ordered as their clocks.
 */
import { defineFamily, working } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { jsonLayout } from '../../storage/store/fields.js';
import type { Clock } from '../ports/clock.js';
import type { Entropy } from '../ports/entropy.js';
import { type NewId, uuidV7Generator } from '../ports/ids.js';

/** How far the stored time runs ahead, so that it is not written with each id. */
const LEASE_MS = 2_000;

/** Installation: a time later than that of any id made so far, in Unix milliseconds. */
export const idFloor = defineFamily({
  name: 'idFloor',
  number: 12,
  key: [],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Ids of one opening of a store. */
export interface DurableIds {
  readonly newId: NewId;
  /**
   * Stores the time of the last id instead of the later one, before the store is closed. Does
   * nothing over a shared store, where ids of other servers may reach up to the stored time.
   */
  readonly settleIds: () => Promise<void>;
}

/** Returns a generator whose ids follow all that were made with this store before. */
export async function durableIds(
  store: Transactions,
  clock: Clock,
  entropy: Entropy,
): Promise<DurableIds> {
  const floorMs = (await store.read((tx) => idFloor.get(tx, INSTALLATION))) ?? -1;
  const keepAtLeast = (timeMs: number): Promise<void> =>
    store.transact((tx) => {
      const keptMs = idFloor.get(tx, INSTALLATION) ?? -1;
      if (keptMs < timeMs) idFloor.put(tx, timeMs, INSTALLATION);
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
        idFloor.put(tx, usedMs, INSTALLATION);
      };
      // If this fails, the later time stays stored, and ids skip a little.
      await store.transact(settle).catch(() => undefined);
    },
  };
}
