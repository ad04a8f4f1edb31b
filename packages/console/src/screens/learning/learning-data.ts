/** What the screen of learning loads: beginnings of lists, and the newest of them first. */
import type { Agent } from '@agentkeep/client';

/** A procedure of a list. */
export type ListedProcedure = Awaited<
  ReturnType<Agent['learning']['proceduresPage']>
>['items'][number];

/** The receipt of an evaluation. */
export type Evaluation = Awaited<ReturnType<Agent['learning']['evaluationsPage']>>['items'][number];

/** An attempt with where it stands. */
export type Attempt = Awaited<ReturnType<Agent['experiences']['listPage']>>['items'][number];

/** A policy of the tenant. */
export type PolicyEntry = Awaited<ReturnType<Agent['learning']['policy']>>;

/** A context of the tenant. */
export type ContextEntry = Awaited<ReturnType<Agent['learning']['context']>>;

/** The longest instructions that selection is asked for, which is the longest that there are. */
export const INSTRUCTION_BYTES = 65_536;

/** The most items that a chart or a timeline shows. */
const SHOWN_MAX = 500;

/** The size of the pages that are loaded. */
export const PAGE = 100;

/** The size of the pages of a history, which is the largest. */
export const HISTORY_PAGE = 64;

/** The beginning of a list, in the order of time. */
export interface Beginning<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Loads the first {@link SHOWN_MAX} items of a list, and orders them by time, the oldest first. */
export async function beginningOf<T>(
  list: AsyncIterable<T>,
  timeOf: (item: T) => number,
): Promise<Beginning<T>> {
  const items: T[] = [];
  let hasMore = false;
  for await (const item of list) {
    hasMore = items.length === SHOWN_MAX;
    if (hasMore) break;
    items.push(item);
  }
  return { items: items.toSorted((one, other) => timeOf(one) - timeOf(other)), hasMore };
}
