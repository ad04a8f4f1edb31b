/** Loads the records of a list page by page, as a person scrolls. */
import type { CommittedChange, SearchMatch } from '@agentkeep/client';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { changesSeen } from '../../live/changes.js';
import { useChangeCount } from '../../live/use-changes.js';
import { keep, keptAt } from '../../routing/kept.js';
import { presentPlace } from '../../routing/router.js';
import { memoryOf } from '../../scopes/scope-agent.js';
import type { ShownScope } from '../../scopes/scope-query.js';
import { type Failure, failureOf } from '../../session/refusals.js';
import { useOnReturn } from '../../session/server-return.js';
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
  /** Changes whenever there may be another number of records. */
  readonly times: number;
  /** Groups of changes since the list was loaded. */
  readonly changes: number;
  readonly loadMore: () => void;
  readonly reload: () => void;
  /** Shows what a batch of this page has done. */
  readonly settle: (done: ExecutedBatch) => void;
}

interface State extends Pick<RecordPages, 'matches' | 'next' | 'failure' | 'times'> {
  readonly seen: number;
}

const NOTHING: State = {
  ...{ matches: [], next: undefined, failure: undefined, times: 0, seen: 0 },
};

/** A list as it was left, and the changes of its scope that were seen until then. */
interface Kept {
  readonly state: State;
  readonly changes: number;
}

/**
 * Loads what an address asks for; "back" leads to what was loaded before. A short list follows
 * changes by itself; a long one says so.
 */
export function useRecordPages(
  shown: ShownScope,
  search: MemorySearch,
  ownSubject: string | undefined,
): RecordPages {
  const asked = JSON.stringify([shown, search]);
  const place = presentPlace();
  const keptHere = (): State | undefined => keptList(place, asked, shown);
  const [state, setState] = useState(() => keptHere() ?? NOTHING);
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
            ? { ...NOTHING, matches, next, times: now.times + 1, seen: changes }
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
  useEffect(() => {
    const kept = keptHere();
    setState(kept ?? NOTHING);
    run.current = new AbortController();
    position.current = kept?.next;
    if (kept === undefined || isRenewed(kept, changes)) load(undefined);
    return () => {
      run.current.abort();
    };
  }, [asked]);
  useEffect(() => {
    if (isRenewed(state, changes)) reload();
  }, [changes]);
  useOnReturn(state.failure, reload);
  useEffect(() => {
    const isWhole = state.next !== undefined && state.failure === undefined;
    if (isWhole) keep(place, asked, { state, changes: changesSeen(shown.scope) } satisfies Kept);
  }, [state]);
  const loadMore = (): void => {
    if (typeof position.current === 'string') load(position.current);
  };
  const settle = (done: ExecutedBatch): void => {
    const { outcomes, proposal } = done.receipt;
    if (proposal !== undefined) return;
    for (const outcome of outcomes) own.current.add(nameOf(outcome));
    const settled = (matches: State['matches']) => settledMatches(matches, done, search);
    if ((settled(state.matches)?.length ?? 0) === 0) reload();
    else setState((now) => settledState(now, settled(now.matches)));
  };
  return { ...state, changes: changes - state.seen, loadMore, reload, settle };
}

function settledState(now: State, matches: State['matches'] = now.matches): State {
  return { ...now, matches, times: now.times + 1 };
}

/** Returns whether a list is short enough to follow the changes that it does not show. */
function isRenewed({ matches, seen }: State, changes: number): boolean {
  return changes > seen && matches.length <= PAGE;
}

/** Returns the list that was left at a place. It begins anew to count changes. */
function keptList(place: number, asked: string, { scope }: ShownScope): State | undefined {
  const kept = keptAt(place, asked) as Kept | undefined;
  return kept && { ...kept.state, seen: kept.changes === changesSeen(scope) ? 0 : -1 };
}

function nameOf(outcome: Pick<CommittedChange, 'record_id' | 'revision'>): string {
  return `${outcome.record_id} ${String(outcome.revision)}`;
}
