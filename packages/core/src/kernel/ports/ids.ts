/**
 * Ids in time order: UUID version 7 (RFC 9562, 5.7) with a counter after the time stamp, so that
 * ids also ascend in order of creation within a millisecond, and after a restart, even if the wall
 * clock has stepped back: a time that no id has reached yet is stored, and the next process starts
 * after it. Several servers share that time; between them, ids are as ordered as their clocks.
 */
import { defineFamily, working } from '../../storage/store/family.js';
import { jsonLayout } from '../../storage/store/fields.js';
import { INSTALLATION, uuidAt } from '../../storage/store/key.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import type { Clock } from './clock.js';
import type { Entropy } from './entropy.js';

/** Returns a new id. */
export type NewId = () => string;

const RANDOM_IDS = 64;
const RANDOM_BYTES = 8;
const COUNTER_MAX = 0xfff;

/** Returns a version 4 UUID: random bits only, for ids that must not be guessed or ordered. */
export function randomUuid(entropy: Entropy): string {
  const id = Uint8Array.from(entropy.bytes(16));
  id[6] = 0x40 | ((id[6] ?? 0) & 0x0f);
  id[8] = 0x80 | ((id[8] ?? 0) & 0x3f);
  return uuidAt(id, 0);
}

/** How a generator continues an earlier one, and how others follow its time. */
export interface IdTimes {
  /** Every id is later than this time, in Unix milliseconds. */
  readonly floorMs?: number;
  /** Receives each new time before ids carry it. */
  readonly onTime?: (timeMs: number) => void;
}

/** Returns a generator of version 7 UUIDs, which strictly ascend even if time steps back. */
export function uuidV7Generator(
  clock: Clock,
  entropy: Entropy,
  { floorMs = -1, onTime = () => undefined }: IdTimes = {},
): NewId {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  let pool: Uint8Array = new Uint8Array(0);
  let poolAt = 0;
  let lastMs = floorMs;
  // The counter starts as if the millisecond of the floor were used up.
  let counter = COUNTER_MAX;
  return () => {
    if (poolAt === pool.length) {
      pool = entropy.bytes(RANDOM_IDS * RANDOM_BYTES);
      poolAt = 0;
    }
    id.set(pool.subarray(poolAt, poolAt + RANDOM_BYTES), 8);
    poolAt += RANDOM_BYTES;
    const nowMs = clock.now();
    if (nowMs > lastMs) {
      lastMs = nowMs;
      // Half of the counter's range stays free for ids of the same millisecond.
      counter = view.getUint16(8) & (COUNTER_MAX >> 1);
      onTime(lastMs);
    } else if (++counter > COUNTER_MAX) {
      lastMs += 1;
      counter = 0;
      onTime(lastMs);
    }
    view.setUint32(0, Math.floor(lastMs / 0x1_0000));
    view.setUint16(4, lastMs % 0x1_0000);
    view.setUint16(6, 0x7000 | counter);
    view.setUint8(8, 0x80 | (view.getUint8(8) & 0x3f));
    return uuidAt(id, 0);
  };
}

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
