/** The state of a session, and how changes of its history change it. */
import type { AgentInputItem } from '@openai/agents-core';
import { writeItems } from './item-json.js';
import {
  OPERATION_PAGES_MAX,
  OPERATIONS_MAX,
  PAGES_MAX,
  SessionLimitError,
  TAIL_BYTES_MAX,
} from './session-limits.js';

/** A page of items: its id, and how many of its items still belong to the history. */
export type PageRef = readonly [id: string, count: number];

/** An applied operation: the digests of its id and of its transaction. */
export type Operation = readonly [id: string, transaction: string];

/** The content of the head of a session. Pages never change, so a head names one exact history. */
export interface SessionState {
  readonly pages: readonly PageRef[];
  /** The items after the last page. */
  readonly tail: readonly AgentInputItem[];
  readonly operationPages: readonly string[];
  /** The applied operations after the last page of them. */
  readonly operations: readonly Operation[];
}

/** A page that a change writes. */
export type NewPage =
  | { readonly id: string; readonly items: readonly AgentInputItem[] }
  | { readonly id: string; readonly operations: readonly Operation[] };

/** A change: the state after it, the pages that it writes, and the ids of those it removes. */
export interface SessionChange {
  readonly state: SessionState;
  readonly written: readonly NewPage[];
  readonly removed: readonly string[];
}

/** The state of a session without items. */
export const emptyState: SessionState = { pages: [], tail: [], operationPages: [], operations: [] };

/** Returns the number of items in the history. */
export function itemCount({ pages, tail }: SessionState): number {
  return pages.reduce((sum, [, count]) => sum + count, tail.length);
}

/** Returns the pages that have the latest items, as many as are needed for a number of items. */
export function lastPages({ pages, tail }: SessionState, wanted: number): readonly PageRef[] {
  let missing = wanted - tail.length;
  let first = pages.length;
  while (missing > 0 && first > 0) {
    first -= 1;
    missing -= pages[first]?.[1] ?? 0;
  }
  return pages.slice(first);
}

/** Removes the latest items. */
export function withoutLast(state: SessionState, count: number): SessionChange {
  const tail = state.tail.slice(0, Math.max(0, state.tail.length - count));
  let excess = count - state.tail.length;
  const pages = [...state.pages];
  const removed: string[] = [];
  for (let last = pages.at(-1); excess > 0 && last !== undefined; last = pages.at(-1)) {
    const [id, held] = last;
    pages.pop();
    if (held > excess) pages.push([id, held - excess]);
    else removed.push(id);
    excess -= held;
  }
  return { state: { ...state, pages, tail }, written: [], removed };
}

/**
 * Appends items to what a change leaves.
 * @throws {SessionLimitError} when the session is full.
 */
export function withItems(
  { state, written, removed }: SessionChange,
  items: readonly AgentInputItem[],
): SessionChange {
  const tail = [...state.tail, ...items];
  if (Buffer.byteLength(writeItems(tail)) <= TAIL_BYTES_MAX) {
    return { state: { ...state, tail }, written, removed };
  }
  if (state.pages.length >= PAGES_MAX) throw new SessionLimitError('pages');
  const id = crypto.randomUUID();
  const pages: readonly PageRef[] = [...state.pages, [id, tail.length]];
  return {
    state: { ...state, pages, tail: [] },
    written: [...written, { id, items: tail }],
    removed,
  };
}

/**
 * Remembers an operation beside a change.
 * @throws {SessionLimitError} when no more can be remembered.
 */
export function withOperation(
  { state, written, removed }: SessionChange,
  operation: Operation,
): SessionChange {
  const operations = [...state.operations, operation];
  if (operations.length <= OPERATIONS_MAX) {
    return { state: { ...state, operations }, written, removed };
  }
  if (state.operationPages.length >= OPERATION_PAGES_MAX) {
    throw new SessionLimitError('operations');
  }
  const id = crypto.randomUUID();
  const operationPages = [...state.operationPages, id];
  return {
    state: { ...state, operationPages, operations: [] },
    written: [...written, { id, operations }],
    removed,
  };
}
