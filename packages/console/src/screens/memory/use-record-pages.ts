/** Loads the records of a list page by page, as a person scrolls. */
import type { SearchMatch } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChangeCount } from '../../live/use-changes.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Failure, failureOf } from '../../session/refusals.js';
import { beginWork } from '../../session/session.js';
import type { MemorySearch } from './search-query.js';

const PAGE = 100;

/** The records that were loaded so far. */
export interface RecordPages {
  readonly matches: readonly SearchMatch[];
  /** Where the list goes on; null at its end, `undefined` before its first page. */
  readonly next: string | null | undefined;
  readonly failure: Failure | undefined;
  /** Groups of changes since the list was loaded. */
  readonly changes: number;
  readonly loadMore: () => void;
  readonly reload: () => void;
}

interface State extends Pick<RecordPages, 'matches' | 'next' | 'failure'> {
  readonly seen: number;
}

const NOTHING: State = { matches: [], next: undefined, failure: undefined, seen: 0 };

/** Loads what an address asks for. A short list follows changes by itself; a long one says so. */
export function useRecordPages(
  shown: ShownScope,
  search: MemorySearch,
  ownSubject: string | undefined,
): RecordPages {
  const [state, setState] = useState(NOTHING);
  const changes = useChangeCount(shown.scope);
  const run = useRef(new AbortController());
  const isLoading = useRef(false);
  const load = (before: Pick<State, 'matches' | 'next'>): void => {
    const { signal } = run.current;
    const work = beginWork();
    isLoading.current = true;
    nextPage(memoryOf(work.agent, shown, ownSubject), search, before.next ?? undefined, signal)
      .then(({ matches, next_cursor: next }) => {
        if (signal.aborted) return;
        isLoading.current = false;
        const all = [...before.matches, ...matches];
        setState({ matches: all, next, failure: undefined, seen: changes });
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        isLoading.current = false;
        setState({ ...NOTHING, next: null, failure: failureOf(error, work.requestId) });
      });
  };
  const reload = (): void => {
    run.current.abort();
    run.current = new AbortController();
    load({ matches: [], next: undefined });
  };
  const asked = JSON.stringify([shown, search]);
  useEffect(() => {
    setState(NOTHING);
    reload();
    return () => {
      run.current.abort();
    };
  }, [asked]);
  useEffect(() => {
    if (changes > state.seen && state.matches.length <= PAGE) reload();
  }, [changes]);
  const loadMore = (): void => {
    if (!isLoading.current && typeof state.next === 'string') load(state);
  };
  return { ...state, changes: changes - state.seen, loadMore, reload };
}

/** A page may be empty while records are left to examine. */
async function nextPage(
  memory: ReturnType<typeof memoryOf>,
  { filter, words, order, atMillis }: MemorySearch,
  from: string | undefined,
  signal: AbortSignal,
) {
  const asked = words === '' ? filter : { ...filter, words: { text: words } };
  const asOf = atMillis === undefined ? undefined : { millis: atMillis };
  let cursor = from;
  for (;;) {
    const position = cursor === undefined ? {} : { cursor };
    const page = await memory.searchPage(asked, { order, limit: PAGE, asOf, signal, ...position });
    if (page.matches.length > 0 || page.next_cursor === null) return page;
    cursor = page.next_cursor;
  }
}
