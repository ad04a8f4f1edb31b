/**
 * The tally in the store: numbers by name, and how far they can be relied on.
 * @module
 */
import { asBuffer } from '../../storage/store/bytes.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type { CountName } from '../../runtime/counts/count-name.js';
import { removeSlots, slotSubspaces, slotSums } from './tally-slots.js';

/** A number, or under the name of the state, how far the numbers go. */
interface StoredTally {
  readonly number: number;
  /** In the state: the key before which everything is counted, in hexadecimal, or null. */
  readonly end: string | null;
}

const STATE = 'state';

const tallies = new Subspace(
  keyspace.tallies,
  fieldsLayout<StoredTally, [number, string | null]>(
    1,
    ({ number, end }) => [number, end],
    ([number, end]) => ({ number, end }),
  ),
);

/** The subspaces of the tally, by their names in the key space. */
export const tallySubspaces = { tallies, ...slotSubspaces };

/** How far the stored numbers go: before a key, or, with null, over the whole store. */
export interface TallyState {
  readonly end: Uint8Array | null;
}

/** The state of the stored numbers, or `undefined` if they say nothing. */
export function findState(tx: ReadTx): TallyState | undefined {
  const state = tallies.get(tx, INSTALLATION, STATE);
  if (state === undefined) return undefined;
  return { end: state.end === null ? null : Buffer.from(state.end, 'hex') };
}

/** Stores how far the numbers go. */
export function putState(tx: WriteTx, { end }: TallyState): void {
  const text = end === null ? null : asBuffer(end).toString('hex');
  tallies.put(tx, { number: 0, end: text }, INSTALLATION, STATE);
}

/** Says that the stored numbers say nothing any more. */
export function removeState(tx: WriteTx): void {
  tx.remove(tallies.keyOf(INSTALLATION, STATE));
}

/** Every stored number; one that lies in several places comes in as many parts. */
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

/** Replaces all stored numbers, and says how far they go. */
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

/** The one part of a key: names hold nothing that would be escaped. */
function nameIn(key: Uint8Array): string {
  const start = key.indexOf(0) + 2;
  return asBuffer(key).toString('utf8', start, key.length - 1);
}
