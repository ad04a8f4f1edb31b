/**
 * Slots of the tally of a shared store: numbers that only their sum means something of, so that
 * whoever adds picks the slot in which it meets nobody who would not be in its way anyhow.
 * @module
 */
import { crc32 } from 'node:zlib';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import { type Counter, counters } from '../../runtime/counts/count-name.js';

/** Few enough to sum up at any time, many enough that two tenants seldom meet in one. */
const SLOTS = 64;

/** What was added of each counter, in their order. */
type SlotNumbers = readonly number[];

const slots = new Subspace(
  keyspace.tallySlots,
  fieldsLayout<SlotNumbers, [SlotNumbers]>(
    1,
    (numbers) => [numbers],
    ([numbers]) => numbers,
  ),
);

/** The subspace of this file, by its name in the key space. */
export const slotSubspaces = { tallySlots: slots };

/**
 * The slot of a transaction, by the keys of what it changes: that of the tenant, if there is one.
 * Transactions of one tenant meet at its audit chain anyhow.
 */
export function slotOf(keys: readonly Uint8Array[]): number {
  const ofTenant = keys.find((key) => key[0] !== 0);
  const chosen = ofTenant?.subarray(0, ofTenant.indexOf(0)) ?? keys[0];
  return crc32(chosen ?? '') % SLOTS;
}

/** Adds to the numbers of a slot. */
export function addToSlot(tx: WriteTx, slot: number, added: ReadonlyMap<Counter, number>): void {
  if (added.size === 0) return;
  const found = slots.get(tx, INSTALLATION, slot);
  const sums = counters.map((name, index) => (found?.[index] ?? 0) + (added.get(name) ?? 0));
  slots.put(tx, sums, INSTALLATION, slot);
}

/** What all slots hold together of each counter. */
export function slotSums(tx: ReadTx): Map<Counter, number> {
  const sums = new Map<Counter, number>();
  for (const { value } of slots.rows(tx, INSTALLATION, { prefix: [] })) {
    for (const [index, name] of counters.entries()) {
      sums.set(name, (sums.get(name) ?? 0) + (value[index] ?? 0));
    }
  }
  return sums;
}

/** Empties every slot. */
export function removeSlots(tx: WriteTx): void {
  const rows = slots.entries(tx, INSTALLATION, { prefix: [] });
  for (const key of Array.from(rows, (entry) => Uint8Array.from(entry.key))) tx.remove(key);
}
