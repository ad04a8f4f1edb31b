/** Searches as addresses name them, and as the server takes them. */
import type { SearchFilterInput, SearchOrder } from '@agentkeep/client';

/** The orders that a person chooses among. */
export const orders = [
  ...(['newest', 'oldest', 'newest_event', 'oldest_event'] as const),
  ...(['newest_change', 'oldest_change'] as const),
] as const satisfies readonly SearchOrder[];

/** An order that a person chooses. */
export type ChosenOrder = (typeof orders)[number];

/** The types of records. */
export const episodeTypes = [
  ...(['Observation', 'Conversation', 'Decision', 'TaskExecution', 'Error'] as const),
] as const;

/** What records come from. */
export const sources = ['user', 'model', 'tool', 'document', 'import'] as const;

/** What an address asks for, beside a scope. */
export interface MemorySearch {
  /** A question to recall by; empty for a list of records. */
  readonly question: string;
  readonly order: ChosenOrder;
  readonly filter: Omit<SearchFilterInput, 'words'>;
  readonly words: string;
  /** Whether anything but the question and the order is stated. */
  readonly hasFilters: boolean;
  /** The moment that is shown; `undefined` for now. */
  readonly atMillis: number | undefined;
}

/**
 * The names of filters in addresses and forms. None is a member of forms, which a field of that
 * name would hide from scripts.
 */
export const filterNames = [
  ...(['words', 'text', 'tags', 'type', 'source', 'by', 'name'] as const),
  ...(['expired', 'since', 'until'] as const),
] as const;

/** Reads what an address asks for. What it states wrongly is left out. */
export function searchOfQuery(query: URLSearchParams): MemorySearch {
  const text = (name: string): string => query.get(name)?.trim() ?? '';
  const one = <T extends string>(name: string, all: readonly T[]): T | undefined =>
    all.find((each) => each === text(name));
  const tags = tagsOf(text('tags'));
  const type = one('type', episodeTypes);
  const source = one('source', sources);
  const [from, before] = [timeOf(text('since')), timeOf(text('until'))];
  const filter: MemorySearch['filter'] = {
    ...(text('text') === '' ? {} : { text_contains: text('text') }),
    ...(tags.length === 0 ? {} : { tags: { all: tags } }),
    ...(type === undefined ? {} : { episode_types: [type] }),
    ...(source === undefined ? {} : { sources: [source] }),
    ...(text('by') === '' ? {} : { author: { subject_id: text('by') } }),
    ...(text('name') === '' ? {} : { name_prefix: text('name') }),
    expired: one('expired', ['hidden', 'included', 'only']) ?? 'hidden',
    ...(from === undefined && before === undefined
      ? {}
      : { event_time: { from_millis: from ?? null, before_millis: before ?? null } }),
  };
  const at = Number(text('at'));
  return {
    question: text('q'),
    order: one('order', orders) ?? 'newest',
    filter,
    words: text('words'),
    hasFilters: filterNames.some((name) => text(name) !== ''),
    atMillis: Number.isSafeInteger(at) && at > 0 ? at : undefined,
  };
}

/** Returns the tags of a text in which commas separate them. */
export function tagsOf(text: string): string[] {
  const tags = text.split(',').map((tag) => tag.trim());
  return [...new Set(tags.filter((tag) => tag !== ''))];
}

function timeOf(text: string): number | undefined {
  const millis = text === '' ? Number.NaN : new Date(text).getTime();
  return Number.isNaN(millis) ? undefined : millis;
}
