/**
 * Joins what a question finds by its words with what it finds by its embedding, each in its order,
 * so that a record counts for its place in both.
 */
import { isSameScope } from '../../kernel/access/grant-policy.js';
import type { SearchMatch } from '../../domains/memory/search/documents/schema.js';
import { compareTimes, CONVERSATION_GAP_MS, timeOf, utf8Length } from './recollection.js';

/** What is added to each place before its reciprocal; a small number lets first places decide. */
const PLACE_OFFSET = 5;
/** What a place by embedding counts, as a part of what the same place by words counts. */
const MEANING_WEIGHT = 0.4;
/** What the similarity of a neighbour counts, as a part of what it counts there. */
const NEARBY_SIMILARITY = 0.5;
/** UTF-8 bytes of a text that says little without what was said before and after it, at most. */
const SHORT_BYTES = 300;

/** Returns the matches of both orders, each once, those that count most first. */
export function joinedMatches(
  byWords: readonly SearchMatch[],
  nearest: readonly SearchMatch[],
): SearchMatch[] {
  const all = new Map<string, { readonly match: SearchMatch; readonly sum: number }>();
  const add = (match: SearchMatch, share: number) => {
    const id = match.record.record_id;
    const before = all.get(id);
    const sum = (before?.sum ?? 0) + share;
    const { distance } = match;
    const joined = before === undefined ? match : { ...before.match, distance };
    all.set(id, { match: joined, sum });
  };
  for (const [index, match] of byWords.entries()) add(match, 1 / (PLACE_OFFSET + 1 + index));
  for (const [index, match] of byMeaning(nearest).entries()) {
    add(match, MEANING_WEIGHT / (PLACE_OFFSET + 1 + index));
  }
  return [...all.values()].toSorted((one, other) => other.sum - one.sum).map(({ match }) => match);
}

/** Puts the nearest matches in the order in which they and, if short, their neighbours are near. */
function byMeaning(nearest: readonly SearchMatch[]): SearchMatch[] {
  const inTime = nearest.toSorted(compareTimes);
  const weights = new Map(
    inTime.map((match, index): [SearchMatch, number] => {
      const own = similarityOf(match);
      if (utf8Length(match.record.payload.content.primary) > SHORT_BYTES) return [match, own];
      const near = [inTime[index - 1], inTime[index + 1]].filter(
        (other) => other !== undefined && areNeighbours(match, other),
      );
      const best = Math.max(0, ...near.map((other) => (other ? similarityOf(other) : 0)));
      return [match, own + NEARBY_SIMILARITY * best];
    }),
  );
  const weightOf = (match: SearchMatch) => weights.get(match) ?? 0;
  return nearest.toSorted((one, other) => weightOf(other) - weightOf(one));
}

function similarityOf({ distance = 1 }: SearchMatch): number {
  return 1 - distance;
}

function areNeighbours(one: SearchMatch, other: SearchMatch): boolean {
  const apart = Math.abs(timeOf(one) - timeOf(other));
  return isSameScope(one.scope, other.scope) && apart <= CONVERSATION_GAP_MS;
}
