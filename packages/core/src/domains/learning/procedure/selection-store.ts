/**
 * The index of selection: the active procedures of a namespace for one policy and one context, in
 * classes of instructions of about the same length, the best of a class first. A budget needs only
 * the first entry of each shorter class. Only in the class that it divides are entries skipped.
 * Selection reads no procedures.
 */
import type { Namespace } from '../../../kernel/access/namespace.js';
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { fieldsLayout, number, text, type ValueOf } from '../../../storage/store/fields.js';

const rankLayout = fieldsLayout(1, {
  id: text,
  lowerImprovementBound: number,
  /** Length of the instructions in UTF-8 bytes. */
  instructionBytes: number,
});

/** An entry of the index. */
export type RankedProcedure = ValueOf<typeof rankLayout>;

/** The part of the index that a selection reads. */
export interface SelectionRange {
  readonly namespace: Namespace;
  /** Digest of policy and context, in hexadecimal. */
  readonly basis: string;
}

/** Active procedures: namespace, digest of policy and context, size class, negated bound, id. */
export const learningSelection = defineFamily({
  name: 'learningSelection',
  number: 42,
  key: ['digest', 'digest', 'integer', 'number', 'text'],
  layout: rankLayout,
  sealedBy: 'namespace',
  owner: 'scope',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf({ name: 'learningProcedures' }),
});

/** Makes a procedure selectable. */
export function insertRank(tx: WriteTx, range: SelectionRange, ranked: RankedProcedure): void {
  learningSelection.put(tx, ranked, range.namespace.tenantId, ...rankKey(range, ranked));
}

/** Removes a procedure from selection. */
export function removeRank(tx: WriteTx, range: SelectionRange, ranked: RankedProcedure): void {
  tx.remove(learningSelection.keyOf(range.namespace.tenantId, ...rankKey(range, ranked)));
}

/** A budget of instructions. */
export interface SelectionBudget {
  readonly bytes: number;
  /** The last skipped entry of the class that the budget divides. */
  readonly after: RankedProcedure | undefined;
}

/** The result of examining a part of the index. */
export interface RankSlice {
  /** Whether every relevant entry was examined. */
  readonly isDone: boolean;
  /**
   * When done, the best entry within the budget, or `undefined`. Else the entry to continue after.
   */
  readonly entry: RankedProcedure | undefined;
}

/** Finds the best entry within a budget. Skips at most `limit` entries. */
export function bestWithin(
  tx: ReadTx,
  range: SelectionRange,
  { bytes, after }: SelectionBudget,
  limit: number,
): RankSlice {
  const divided = sizeClass(bytes);
  const best = bestOfShorter(tx, range, divided);
  const start = after === undefined ? undefined : rankKey(range, after);
  const span = { prefix: classPrefix(range, divided), after: start, limit };
  let examined = 0;
  let last: RankedProcedure | undefined;
  for (const { value } of learningSelection.rows(tx, range.namespace.tenantId, span)) {
    if (best !== undefined && isBetter(best, value)) return { isDone: true, entry: best };
    if (value.instructionBytes <= bytes) return { isDone: true, entry: value };
    examined += 1;
    last = value;
  }
  return examined === limit ? { isDone: false, entry: last } : { isDone: true, entry: best };
}

/** Finds the best entry of the classes before one. */
function bestOfShorter(
  tx: ReadTx,
  range: SelectionRange,
  end: number,
): RankedProcedure | undefined {
  let best: RankedProcedure | undefined;
  for (let each = sizeClass(1); each < end; each++) {
    const span = { prefix: classPrefix(range, each), limit: 1 };
    for (const { value } of learningSelection.rows(tx, range.namespace.tenantId, span)) {
      if (best === undefined || isBetter(value, best)) best = value;
    }
  }
  return best;
}

function isBetter(one: RankedProcedure, other: RankedProcedure): boolean {
  const difference = one.lowerImprovementBound - other.lowerImprovementBound;
  if (difference !== 0) return difference > 0;
  return Buffer.compare(Buffer.from(one.id, 'utf8'), Buffer.from(other.id, 'utf8')) < 0;
}

/** The number of binary digits, so that lengths in a class differ by less than a factor of two. */
function sizeClass(bytes: number): number {
  return 32 - Math.clz32(bytes);
}

function classPrefix(
  { namespace, basis }: SelectionRange,
  sizeClassNumber: number,
): [Uint8Array, Uint8Array, number] {
  return [namespace.digest, Buffer.from(basis, 'hex'), sizeClassNumber];
}

function rankKey(
  range: SelectionRange,
  { id, lowerImprovementBound, instructionBytes }: RankedProcedure,
): [Uint8Array, Uint8Array, number, number, string] {
  return [...classPrefix(range, sizeClass(instructionBytes)), -lowerImprovementBound, id];
}
