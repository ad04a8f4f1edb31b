/**
 * The index of selection: the active procedures of a namespace for one policy and one context, in
 * classes of instructions of about the same length, and the best of a class first. So the first
 * entries of the shorter classes are all that a budget asks of them, and only in the class that it
 * divides are entries passed over; none of that reads a procedure.
 *
 * @module
 */
import type { Namespace } from '../../access/namespace.js';
import { keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';

/** An entry of the index. */
export interface RankedProcedure {
  readonly id: string;
  readonly lowerImprovementBound: number;
  /** Length of the instructions in UTF-8 bytes. */
  readonly instructionBytes: number;
}

/** The part of the index that a selection looks at. */
export interface SelectionPlace {
  readonly namespace: Namespace;
  /** Digest of policy and context, in hexadecimal. */
  readonly binding: string;
}

const ranks = new Subspace(
  keyspace.learningSelection,
  fieldsLayout<RankedProcedure, [id: string, bound: number, instructionBytes: number]>(
    1,
    (it) => [it.id, it.lowerImprovementBound, it.instructionBytes],
    ([id, lowerImprovementBound, instructionBytes]) => ({
      id,
      lowerImprovementBound,
      instructionBytes,
    }),
  ),
);

/** The subspace of the index, by its name in the key space. */
export const selectionSubspaces = { learningSelection: ranks };

/** Lets a procedure be selected. */
export function insertRank(tx: WriteTx, place: SelectionPlace, ranked: RankedProcedure): void {
  ranks.put(tx, ranked, place.namespace.tenantId, ...rankKey(place, ranked));
}

/** Keeps a procedure from being selected. */
export function removeRank(tx: WriteTx, place: SelectionPlace, ranked: RankedProcedure): void {
  tx.remove(ranks.keyOf(place.namespace.tenantId, ...rankKey(place, ranked)));
}

/** How far the instructions may go, and where to go on in the class that this divides. */
export interface SelectionBudget {
  readonly bytes: number;
  readonly after: RankedProcedure | undefined;
}

/** What a stretch of the index came to. */
export interface RankSlice {
  /** Whether everything that matters was examined. */
  readonly isDone: boolean;
  /** When done, the best entry within the budget, if there is one; else where to go on. */
  readonly entry: RankedProcedure | undefined;
}

/** Looks for the best entry within a budget, passing over `limit` entries at the most. */
export function bestWithin(
  tx: ReadTx,
  place: SelectionPlace,
  { bytes, after }: SelectionBudget,
  limit: number,
): RankSlice {
  const divided = sizeClass(bytes);
  const best = bestOfShorter(tx, place, divided);
  const start = after === undefined ? {} : { after: rankKey(place, after) };
  const span = { prefix: classPrefix(place, divided), limit, ...start };
  let examined = 0;
  let last: RankedProcedure | undefined;
  for (const { value } of ranks.rows(tx, place.namespace.tenantId, span)) {
    if (best !== undefined && isBetter(best, value)) return { isDone: true, entry: best };
    if (value.instructionBytes <= bytes) return { isDone: true, entry: value };
    examined += 1;
    last = value;
  }
  return examined === limit ? { isDone: false, entry: last } : { isDone: true, entry: best };
}

/** The best entry of all classes before one. */
function bestOfShorter(
  tx: ReadTx,
  place: SelectionPlace,
  end: number,
): RankedProcedure | undefined {
  let best: RankedProcedure | undefined;
  for (let each = sizeClass(1); each < end; each++) {
    const span = { prefix: classPrefix(place, each), limit: 1 };
    for (const { value } of ranks.rows(tx, place.namespace.tenantId, span)) {
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

/** The number of binary digits: lengths of a class differ by less than a factor of two. */
function sizeClass(bytes: number): number {
  return 32 - Math.clz32(bytes);
}

function classPrefix(
  { namespace, binding }: SelectionPlace,
  sizeClassNumber: number,
): [Uint8Array, Uint8Array, number] {
  return [namespace.digest, Buffer.from(binding, 'hex'), sizeClassNumber];
}

function rankKey(
  place: SelectionPlace,
  { id, lowerImprovementBound, instructionBytes }: RankedProcedure,
): [Uint8Array, Uint8Array, number, number, string] {
  return [...classPrefix(place, sizeClass(instructionBytes)), -lowerImprovementBound, id];
}
