/** The joined order of searches from the contract alone (docs/contract/search.md#sea-39). */
import type { SearchMatch } from '@agentkeep/core';

const DEPTH = 100;
const OFFSET = 60;

/** A match and its place in an order that isn't that of ids. */
export interface Ranked {
  readonly key: number;
  readonly id: string;
}

/** The first matches so far, and how many joined ones earlier pages have once all are known. */
export interface JoinedModel {
  readonly words: readonly Ranked[];
  readonly vector: readonly Ranked[];
  readonly passed?: number;
}

/** A record with its keys; the least comes first. */
interface Keyed {
  readonly id: string;
  readonly words: number | undefined;
  readonly vector: number | undefined;
}

/** A match of the page. */
interface Joined {
  readonly id: string;
  readonly ranks: NonNullable<SearchMatch['ranks']>;
  readonly keys: Omit<Keyed, 'id'>;
}

/** A page, and where the next one goes on. */
export function joinedPage(
  examined: readonly Keyed[],
  { words = [], vector = [], passed = 0 }: Partial<JoinedModel> = {},
  { limit, isWhole }: { readonly limit: number; readonly isWhole: boolean },
): { readonly shown: readonly Joined[]; readonly next: JoinedModel | undefined } {
  const lists = {
    words: firstOf(words, examined, 'words'),
    vector: firstOf(vector, examined, 'vector'),
  };
  if (!isWhole) return { shown: [], next: lists };
  const ids = new Set([...lists.words, ...lists.vector].map(({ id }) => id));
  const joined = [...ids].map((id): Joined => {
    const [byWords, byVector] = [rankIn(lists.words, id), rankIn(lists.vector, id)];
    return {
      id,
      ranks: { words: byWords?.rank ?? null, vector: byVector?.rank ?? null },
      keys: { words: byWords?.key, vector: byVector?.key },
    };
  });
  const sumOf = ({ ranks }: Joined) =>
    [ranks.words, ranks.vector].reduce<number>(
      (sum, rank) => sum + (rank === null ? 0 : 1 / (OFFSET + rank)),
      0,
    );
  joined.sort((one, other) => (one.id < other.id ? 1 : -1));
  joined.sort((one, other) => sumOf(other) - sumOf(one));
  const end = Math.min(passed + limit, joined.length);
  const next = end === joined.length ? undefined : { ...lists, passed: end };
  return { shown: joined.slice(passed, end), next };
}

function firstOf(
  before: readonly Ranked[],
  examined: readonly Keyed[],
  by: 'words' | 'vector',
): Ranked[] {
  const added = examined.flatMap(({ id, [by]: key }) => (key === undefined ? [] : [{ id, key }]));
  const all = [...before, ...added].sort((one, other) => (one.id < other.id ? 1 : -1));
  return all.sort((one, other) => one.key - other.key).slice(0, DEPTH);
}

function rankIn(list: readonly Ranked[], id: string): { rank: number; key: number } | undefined {
  const found = list.find((each) => each.id === id);
  if (found === undefined) return undefined;
  return { rank: 1 + list.filter(({ key }) => key < found.key).length, key: found.key };
}
