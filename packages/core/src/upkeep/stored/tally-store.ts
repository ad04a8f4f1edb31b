/**
 * Stores counts in slots.
 *
 * Slots of the tally of a shared store. Only the sum over all slots has a meaning. A transaction
 * adds to the slot of its tenant at its server, so it seldom conflicts with those of other
 * servers.
 */
import { crc32 } from 'node:zlib';
import { type Counter, counters, type CountName } from '../../kernel/counts/counts.js';
import { asBuffer } from '../../storage/store/bytes.js';
import { defineFamily, working } from '../../storage/store/family.js';
import { fieldsLayout, json, jsonLayout, number } from '../../storage/store/fields.js';
import { INSTALLATION, tenantEnd } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';

/** The name of the entry with the end of the count. */
const STATE = 'state';

const tallyLayout = fieldsLayout(1, {
  number,
  /** The key before which everything is counted, in hexadecimal; null when all is counted. */
  end: json<string | null>(),
});

/** Installation: numbers of entries by count name, and how far the count has got. */
export const tallies = defineFamily({
  name: 'tallies',
  number: 31,
  key: ['text'],
  layout: tallyLayout,
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** The progress of the stored count. */
interface TallyState {
  /** The key before which everything is counted; null when the whole store is. */
  readonly end: Uint8Array | null;
}

/** Returns the progress of the stored count, or `undefined` if the stored numbers are invalid. */
export function findState(tx: ReadTx): TallyState | undefined {
  const state = tallies.get(tx, INSTALLATION, STATE);
  if (state === undefined) return undefined;
  return { end: state.end === null ? null : Buffer.from(state.end, 'hex') };
}

/** Stores the progress of the count. */
export function putState(tx: WriteTx, { end }: TallyState): void {
  const text = end === null ? null : asBuffer(end).toString('hex');
  tallies.put(tx, { number: 0, end: text }, INSTALLATION, STATE);
}

/** Marks the stored numbers as invalid. */
export function removeState(tx: WriteTx): void {
  tx.remove(tallies.keyOf(INSTALLATION, STATE));
}

/** Returns every stored number. Names may repeat; add their numbers up. */
export function storedNumbers(tx: ReadTx): [CountName, number][] {
  return [...namedNumbers(tx), ...slotSums(tx)];
}

function namedNumbers(tx: ReadTx): [CountName, number][] {
  const numbers: [CountName, number][] = [];
  for (const { key, value } of tallies.rows(tx, INSTALLATION, { prefix: [] })) {
    const name = nameIn(key);
    if (name !== STATE) numbers.push([name as CountName, value.number]);
  }
  return numbers;
}

/** Adds to a stored number. */
export function addToStored(tx: WriteTx, name: CountName, by: number): void {
  const number = (tallies.get(tx, INSTALLATION, name)?.number ?? 0) + by;
  tallies.put(tx, { number, end: null }, INSTALLATION, name);
}

/** Removes stored numbers. */
export function removeNumbers(tx: WriteTx, names: Iterable<CountName>): void {
  for (const name of names) tx.remove(tallies.keyOf(INSTALLATION, name));
}

/** Replaces all stored numbers and their state. */
export function replaceNumbers(
  tx: WriteTx,
  numbers: Iterable<readonly [CountName, number]>,
  state: TallyState,
): void {
  removeNumbers(
    tx,
    namedNumbers(tx).map(([name]) => name),
  );
  removeSlots(tx);
  for (const [name, number] of numbers) {
    tallies.put(tx, { number, end: null }, INSTALLATION, name);
  }
  putState(tx, state);
}

/** Returns the name in a key. Names need no escapes. */
function nameIn(key: Uint8Array): string {
  const start = tenantEnd(key) + 2;
  return asBuffer(key).toString('utf8', start, key.length - 1);
}

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
function removeSlots(tx: WriteTx): void {
  const rows = tallySlots.entries(tx, INSTALLATION, { prefix: [] });
  for (const key of Array.from(rows, (entry) => Uint8Array.from(entry.key))) tx.remove(key);
}
