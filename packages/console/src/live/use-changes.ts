/** A hook that counts changes, so that what depends on them is loaded again. */
import type { CommittedChange, ScopeInput } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isSameScope } from '../scopes/scope-query.js';
import { lastChanges } from './changes.js';

const WAIT_MS = 250;

/**
 * Counts groups of changes in a scope, or in all of them. Those within a moment are one group.
 * `isNews`, the same function each time, says whether a change counts, once the moment is over.
 */
export function useChangeCount(
  scope: ScopeInput | undefined,
  isNews: (change: CommittedChange) => boolean = () => true,
): number {
  const [count, setCount] = useState(0);
  const isFirst = useRef(true);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  const group = useRef<CommittedChange[]>([]);
  useEffect(() => {
    isFirst.current = true;
    const stop = lastChanges.subscribe((changes) => {
      // A subscription begins with what was there before.
      if (isFirst.current) {
        isFirst.current = false;
        return;
      }
      const meant = changes.filter((each) => scope === undefined || isSameScope(each.scope, scope));
      if (meant.length === 0) return;
      group.current.push(...meant);
      waiting.current ??= setTimeout(() => {
        const isCounted = group.current.some(isNews);
        waiting.current = undefined;
        group.current = [];
        if (isCounted) setCount((before) => before + 1);
      }, WAIT_MS);
    });
    return () => {
      stop();
      clearTimeout(waiting.current);
      waiting.current = undefined;
      group.current = [];
    };
  }, [JSON.stringify(scope)]);
  return count;
}
