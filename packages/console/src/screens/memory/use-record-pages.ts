/** Loads the records of a list page by page, as a person scrolls. */
import type { CommittedChange, SearchMatch } from '@agentkeep/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useChangeCount } from '../../live/use-changes.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Failure, failureOf } from '../../session/refusals.js';
import { beginWork } from '../../session/session.js';
import type { ExecutedBatch } from '../../selection/use-batch.js';
import { nextPage, PAGE } from './next-page.js';
import type { MemorySearch } from './search-query.js';
import { settledMatches } from './settled-matches.js';

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
  /** Shows what a batch of this page has done. */
  readonly settle: (done: ExecutedBatch) => void;
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
  const own = useRef(new Set<string>());
  const isNews = useCallback((change: CommittedChange) => !own.current.has(nameOf(change)), []);
  const changes = useChangeCount(shown.scope, isNews);
  const run = useRef(new AbortController());
  // Not the state, which an effect of an earlier rendering would read: no page is loaded twice.
  const position = useRef<string | null | undefined>(null);
  const load = (from: string | undefined): void => {
    const { signal } = run.current;
    const work = beginWork();
    position.current = undefined;
    nextPage(memoryOf(work.agent, shown, ownSubject), search, from, signal)
      .then(({ matches, next_cursor: next }) => {
        if (signal.aborted) return;
        position.current = next;
        setState((now) =>
          from === undefined
            ? { matches, next, failure: undefined, seen: changes }
            : { ...now, matches: [...now.matches, ...matches], next },
        );
      })
      .catch((error: unknown) => {
        if (signal.aborted) return;
        setState({ ...NOTHING, next: null, failure: failureOf(error, work.requestId) });
      });
  };
  const reload = (): void => {
    run.current.abort();
    run.current = new AbortController();
    load(undefined);
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
    if (typeof position.current === 'string') load(position.current);
  };
  const settle = (done: ExecutedBatch): void => {
    const { outcomes, proposal } = done.receipt;
    if (proposal !== undefined) return;
    for (const outcome of outcomes) own.current.add(nameOf(outcome));
    const settled = (matches: State['matches']) => settledMatches(matches, done, search);
    if ((settled(state.matches)?.length ?? 0) === 0) reload();
    else setState((now) => ({ ...now, matches: settled(now.matches) ?? now.matches }));
  };
  return { ...state, changes: changes - state.seen, loadMore, reload, settle };
}

function nameOf(outcome: Pick<CommittedChange, 'record_id' | 'revision'>): string {
  return `${outcome.record_id} ${String(outcome.revision)}`;
}
