/** Schemas of how the order `hybrid` joins ranks (docs/contract/search.md#sea-40). */
import * as v from 'valibot';
import {
  SEARCH_RANK_OFFSET,
  SEARCH_RANK_OFFSET_MAX,
  SEARCH_RANKED_MAX,
  SEARCH_VECTOR_WEIGHT_MAX,
} from '../../../../contract/limits.js';
import { closed } from '../../../../contract/schema/document.js';
import { named } from '../../../../contract/schema/json-schema.js';
import { boundedInteger, boundedNumber, integer } from '../../../../contract/schema/number.js';

/** How the order `hybrid` joins its two ranks. */
export const RankJoin = v.pipe(
  closed({
    /** What is added to each rank before its reciprocal. */
    offset: v.optional(boundedInteger(1, SEARCH_RANK_OFFSET_MAX, 0), SEARCH_RANK_OFFSET),
    /** What a rank by distance counts, where the same rank by words counts 1. */
    vector_weight: v.optional(boundedNumber(0, SEARCH_VECTOR_WEIGHT_MAX, 'inclusive'), 1),
  }),
  named('RankJoin'),
);
export type RankJoin = v.InferOutput<typeof RankJoin>;
/** How ranks are joined, as callers write it. */
export type RankJoinInput = v.InferInput<typeof RankJoin>;

const rank = () => v.nullable(integer(1, SEARCH_RANKED_MAX));

/** The places of a match by words and by distance alone; null where it is none of the first. */
export const SearchRanks = v.pipe(closed({ words: rank(), vector: rank() }), named('SearchRanks'));
export type SearchRanks = v.InferOutput<typeof SearchRanks>;
