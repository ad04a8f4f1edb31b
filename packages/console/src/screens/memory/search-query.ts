/** Searches as addresses name them, and as the server takes them. */
import type { SearchFilterInput, SearchOrder, SearchVectorInput } from '@agentkeep/client';
import { filterNames, filterOf, isId } from './search-filter.js';

/** The orders, each with what it needs beside records. */
const orders: Readonly<Record<SearchOrder, readonly ('words' | 'near')[]>> = {
  newest: [],
  oldest: [],
  newest_event: [],
  oldest_event: [],
  newest_change: [],
  oldest_change: [],
  most_words: ['words'],
  rarest_words: ['words'],
  best_words: ['words'],
  nearest: ['near'],
  hybrid: ['words', 'near'],
};

/** Languages whose forms of words are known. */
const languages = [
  ...(['english', 'german', 'french', 'spanish', 'portuguese'] as const),
  ...(['italian', 'dutch', 'russian'] as const),
] as const;

/** How distances are measured. */
const metrics = ['cosine', 'dot', 'euclidean'] as const;

type Words = NonNullable<SearchFilterInput['words']>;

/** What distances are measured from: the embedding of a record, or numbers. */
export interface Near {
  readonly from: { readonly recordId: string } | { readonly values: number[] };
  readonly metric: NonNullable<SearchVectorInput['metric']>;
}

/** What an address asks for, beside a scope. */
export interface MemorySearch {
  /** A question to recall with; empty for a list of records. */
  readonly question: string;
  readonly order: SearchOrder;
  readonly filter: Omit<SearchFilterInput, 'words'>;
  readonly words: Words | undefined;
  readonly near: Near | undefined;
  /** The embedding space; `undefined` for the default of the scope. */
  readonly space: string | undefined;
  /** Whether anything but the question and the order is stated. */
  readonly hasFilters: boolean;
  /** The moment that is shown; `undefined` for now. */
  readonly atMillis: number | undefined;
}

/** Reads what an address asks for. What it states wrongly is left out. */
export function searchOfQuery(query: URLSearchParams): MemorySearch {
  const text = (name: string): string => query.get(name)?.trim() ?? '';
  const at = Number(text('at'));
  const [words, near] = [wordsOf(text), nearOf(text)];
  const possible = possibleOrders({ words, near });
  return {
    question: text('q'),
    order: possible.find((each) => each === text('order')) ?? 'newest',
    filter: filterOf(text),
    words,
    near,
    space: text('space') === '' ? undefined : text('space'),
    hasFilters: filterNames.some((name) => text(name) !== ''),
    atMillis: Number.isSafeInteger(at) && at > 0 ? at : undefined,
  };
}

/** Returns the orders that a search can have: some need words, some a vector. */
export function possibleOrders(
  search: Pick<MemorySearch, 'words' | 'near'>,
): readonly SearchOrder[] {
  const all = Object.entries(orders) as [SearchOrder, readonly ('words' | 'near')[]][];
  return all
    .filter(([, needed]) => needed.every((each) => search[each] !== undefined))
    .map(([order]) => order);
}

function wordsOf(text: (name: string) => string): Words | undefined {
  if (text('words') === '') return undefined;
  const forms = languages.find((each) => each === text('forms'));
  return {
    text: text('words'),
    ...(text('match') === 'any' ? { match: 'any' } : {}),
    ...(text('marks') === 'ignored' ? { diacritics: 'ignored' } : {}),
    ...(forms === undefined ? {} : { forms }),
  };
}

function nearOf(text: (name: string) => string): Near | undefined {
  const near = text('near');
  const metric = metrics.find((each) => each === text('metric')) ?? 'cosine';
  if (isId(near)) return { from: { recordId: near }, metric };
  const values = near
    .split(/[\s,[\]]+/)
    .filter((each) => each !== '')
    .map(Number);
  if (values.length === 0 || values.some((each) => !Number.isFinite(each))) return undefined;
  return { from: { values }, metric };
}
