/**
 * Joins what a question finds by its words with what it finds by its embedding, so that a record
 * counts for its place in both. A model counts as far as it finds what the words find, and for
 * short texts: few words are left to find in those, and embeddings of long ones blur. Where words
 * find little and the model something else, it counts in full.
 */
import type { SearchMatch } from '../../domains/memory/search/documents/schema.js';
import { isSameScope } from '../../kernel/access/grant-policy.js';
import { compareTimes, CONVERSATION_GAP_MS, timeOf, utf8Length } from './recollection.js';

/** What is added to each place before its reciprocal; a small number lets first places decide. */
const PLACE_OFFSET = 5;
/** What a place by embedding counts at least, as a part of what the same place by words counts. */
const MEANING_WEIGHT_MIN = 0.2;
/** What is added to that for a short text, where the model agrees with the words. */
const AGREEMENT_WEIGHT = 0.8;
/** How many of the first matches by words say whether the model agrees. */
const FIRST_MATCHES = 7;
/** The agreement below which the model finds something else than the words. */
const AGREEMENT_MIN = 0.35;
/** The part of the found words that one of the first matches has, unless words find little. */
const FOUND_PART_MIN = 0.4;
/** UTF-8 bytes of a text for which half of the agreement is added; much less for longer ones. */
const HALF_BYTES = 400;
const HALF_POWER = 4;
/** What the similarity of a neighbour counts, as a part of what it counts there. */
const NEARBY_SIMILARITY = 0.8;
/** UTF-8 bytes of a text that says little without what was said before and after it, at most. */
const SHORT_BYTES = 300;

/** Returns the matches of both orders, each once, those that count most first. */
export function joinedMatches(
  byWords: readonly SearchMatch[],
  nearest: readonly SearchMatch[],
): SearchMatch[] {
  const all = new Map<string, { readonly match: SearchMatch; readonly sum: number }>();
  const add = (match: SearchMatch, share: number) => {
    const id = idOf(match);
    const before = all.get(id);
    const sum = (before?.sum ?? 0) + share;
    const { distance } = match;
    const joined = before === undefined ? match : { ...before.match, distance };
    all.set(id, { match: joined, sum });
  };
  for (const [index, match] of byWords.entries()) add(match, 1 / (PLACE_OFFSET + 1 + index));
  const agreement = agreementOf(byWords, nearest);
  const isModelAlone = agreement < AGREEMENT_MIN && foundPartOf(byWords) < FOUND_PART_MIN;
  // Without help by words, a talk that is near throughout would hide the one remark that is meant.
  const nearby = isModelAlone ? 0 : NEARBY_SIMILARITY;
  for (const [index, match] of byMeaning(nearest, nearby).entries()) {
    const weight = weightOf(match, isModelAlone ? 1 : agreement);
    add(match, weight / (PLACE_OFFSET + 1 + index));
  }
  return [...all.values()].toSorted((one, other) => other.sum - one.sum).map(({ match }) => match);
}

/**
 * Returns how far the model finds what the words find, from 0 to 1: the mean over the first matches
 * by words of 1 at the first place by embedding, down to 0 behind the last one.
 */
function agreementOf(byWords: readonly SearchMatch[], nearest: readonly SearchMatch[]): number {
  const places = new Map(nearest.map((match, place) => [idOf(match), place / nearest.length]));
  const first = byWords.slice(0, FIRST_MATCHES);
  if (first.length === 0) return 1;
  return first.reduce((sum, match) => sum + 1 - (places.get(idOf(match)) ?? 1), 0) / first.length;
}

/** Returns the greatest part of all found words that one of the first matches has. */
function foundPartOf(byWords: readonly SearchMatch[]): number {
  const wordsOf = ({ terms = [] }: SearchMatch) => terms.map(({ text }) => text);
  const all = new Set(byWords.flatMap(wordsOf));
  const first = byWords.slice(0, FIRST_MATCHES);
  return all.size === 0 ? 1 : Math.max(...first.map((match) => wordsOf(match).length)) / all.size;
}

function weightOf(match: SearchMatch, agreement: number): number {
  const shortness = 1 / (1 + (bytesOf(match) / HALF_BYTES) ** HALF_POWER);
  return MEANING_WEIGHT_MIN + AGREEMENT_WEIGHT * agreement * shortness;
}

/** Puts the nearest matches in the order in which they and, if short, their neighbours are near. */
function byMeaning(nearest: readonly SearchMatch[], nearby: number): SearchMatch[] {
  const inTime = nearest.toSorted(compareTimes);
  const weights = new Map(
    inTime.map((match, index): [SearchMatch, number] => {
      const own = similarityOf(match);
      if (bytesOf(match) > SHORT_BYTES) return [match, own];
      const near = [inTime[index - 1], inTime[index + 1]].map((other) =>
        other !== undefined && areNeighbours(match, other) ? similarityOf(other) : 0,
      );
      return [match, own + nearby * Math.max(0, ...near)];
    }),
  );
  const nearnessOf = (match: SearchMatch) => weights.get(match) ?? 0;
  return nearest.toSorted((one, other) => nearnessOf(other) - nearnessOf(one));
}

function idOf({ record }: SearchMatch): string {
  return record.record_id;
}

function bytesOf({ record }: SearchMatch): number {
  return utf8Length(record.payload.content.primary);
}

function similarityOf({ distance = 1 }: SearchMatch): number {
  return 1 - distance;
}

function areNeighbours(one: SearchMatch, other: SearchMatch): boolean {
  const apart = Math.abs(timeOf(one) - timeOf(other));
  return isSameScope(one.scope, other.scope) && apart <= CONVERSATION_GAP_MS;
}
