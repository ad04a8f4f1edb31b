/**
 * The index of selection: the active procedures of a namespace for one policy and one context, the
 * best first. An entry tells how long the instructions are, so that a budget passes over entries
 * without reading their procedures.
 *
 * @module
 */
import type { Namespace } from '../access/namespace.js';
import { keyspace } from '../store/keyspace.js';
import type { ReadTx, WriteTx } from '../store/store.js';
import { Subspace } from '../store/subspace.js';
import { fieldsLayout } from '../store/value.js';

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

/** One stretch of the index. */
export interface RankSlice {
  /** The best entry that the budget allows, if the stretch has one. */
  readonly found: RankedProcedure | undefined;
  /** Where to go on; absent when the index was exhausted. */
  readonly last: RankedProcedure | undefined;
}

/** Looks for the best entry within a budget among the next `limit` ones. */
export function bestWithin(
  tx: ReadTx,
  place: SelectionPlace,
  budget: { readonly bytes: number; readonly after: RankedProcedure | undefined },
  limit: number,
): RankSlice {
  const { namespace, binding } = place;
  const start = budget.after === undefined ? {} : { after: rankKey(place, budget.after) };
  const prefix: [Uint8Array, Uint8Array] = [namespace.digest, digestBytes(binding)];
  let examined = 0;
  let last: RankedProcedure | undefined;
  for (const { value } of ranks.rows(tx, namespace.tenantId, { prefix, limit, ...start })) {
    if (value.instructionBytes <= budget.bytes) return { found: value, last: value };
    examined += 1;
    last = value;
  }
  return { found: undefined, last: examined === limit ? last : undefined };
}

function rankKey(
  { namespace, binding }: SelectionPlace,
  { id, lowerImprovementBound }: RankedProcedure,
): [Uint8Array, Uint8Array, number, string] {
  return [namespace.digest, digestBytes(binding), -lowerImprovementBound, id];
}

function digestBytes(hex: string): Uint8Array {
  return Buffer.from(hex, 'hex');
}
