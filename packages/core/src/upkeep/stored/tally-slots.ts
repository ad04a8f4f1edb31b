/**
 * Slots of the tally of a shared store. Only the sum over all slots has a meaning. A transaction
 * adds to the slot of its tenant at its server, so it seldom conflicts with those of other servers.
 */
import { crc32 } from 'node:zlib';
import { defineFamily, working } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import { type Counter, counters } from '../../kernel/counts/counts.js';

/** Few enough to sum at any time, enough that two tenants seldom share one. */
const SLOTS = 64;

/**
 * Installation: additions of several servers to the numbers of entries, by slot. Values are the
 * sums added to each counter, in the order of counters.
 */
export const tallySlots = defineFamily({
  name: 'tallySlots',
  number: 37,
  key: ['integer'],
  layout: jsonLayout<readonly number[]>(1),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/**
 * Returns the slot for a transaction by its changed keys: the slot of their tenant, if any, at a
 * server. A server commits the transactions of one tenant together, so they meet there anyway.
 */
export function slotOf(keys: readonly Uint8Array[], server: number): number {
  const ofTenant = keys.find((key) => key[0] !== 0);
  const chosen = ofTenant?.subarray(0, ofTenant.indexOf(0)) ?? keys[0];
  return (crc32(chosen ?? '') + server) % SLOTS;
}

/** Adds to the numbers of a slot. */
export function addToSlot(tx: WriteTx, slot: number, added: ReadonlyMap<Counter, number>): void {
  if (added.size === 0) return;
  const found = tallySlots.get(tx, INSTALLATION, slot);
  const sums = counters.map((name, index) => (found?.[index] ?? 0) + (added.get(name) ?? 0));
  tallySlots.put(tx, sums, INSTALLATION, slot);
}

/** Returns the sum over all slots of each counter. */
export function slotSums(tx: ReadTx): Map<Counter, number> {
  const sums = new Map<Counter, number>();
  for (const { value } of tallySlots.rows(tx, INSTALLATION, { prefix: [] })) {
    for (const [index, name] of counters.entries()) {
      sums.set(name, (sums.get(name) ?? 0) + (value[index] ?? 0));
    }
  }
  return sums;
}

/** Empties every slot. */
export function removeSlots(tx: WriteTx): void {
  const rows = tallySlots.entries(tx, INSTALLATION, { prefix: [] });
  for (const key of Array.from(rows, (entry) => Uint8Array.from(entry.key))) tx.remove(key);
}
