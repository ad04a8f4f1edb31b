/** Counts the records of a list that has several pages. */
import { useEffect, useState } from 'preact/hooks';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ScopedMemory } from '../../scopes/scoped-memory.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { beginWork } from '../../session/session.js';
import { stateAt } from './next-page.js';
import type { MemorySearch } from './search-query.js';
import type { RecordPages } from './use-record-pages.js';

/** Calls of one count, each of which examines up to 10,000 entries. */
const CALLS_MAX = 50;

/** Returns the number of records of a list with several pages; `undefined` until it is known. */
export function useTotal(
  shown: ShownScope,
  search: MemorySearch,
  ownSubject: string | undefined,
  { next, times }: RecordPages,
): number | undefined {
  const [total, setTotal] = useState<number>();
  const isPaged = typeof next === 'string';
  useEffect(() => {
    if (!isPaged) return;
    const left = new AbortController();
    const memory = memoryOf(beginWork().agent, shown, ownSubject);
    // The list is of use without its total, so a failure to count says nothing.
    countMatches(memory, search, left.signal).then(
      (counted) => {
        if (!left.signal.aborted) setTotal(counted);
      },
      () => undefined,
    );
    return () => {
      left.abort();
    };
  }, [isPaged, times]);
  return total;
}

/** Returns the number; `undefined` where the order decides it, or if counting takes too long. */
async function countMatches(
  memory: ScopedMemory,
  { order, filter, words, atMillis }: MemorySearch,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (order === 'nearest' || order === 'hybrid') return undefined;
  const meant = words === undefined ? filter : { ...filter, words };
  let total = 0;
  let cursor: string | undefined;
  for (let call = 0; call < CALLS_MAX; call += 1) {
    const position = cursor === undefined ? {} : { cursor };
    const page = await memory.searchPage(meant, {
      ...stateAt(atMillis),
      ...position,
      counts: {},
      signal,
    });
    total += page.counts?.matches ?? 0;
    if (page.next_cursor === null) return total;
    cursor = page.next_cursor;
  }
  return undefined;
}
