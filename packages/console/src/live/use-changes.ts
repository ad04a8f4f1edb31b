/** A hook that counts changes, so that what depends on them is loaded again. */
import type { ScopeInput } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { isSameScope } from '../scopes/scope-query.js';
import { lastChanges } from './changes.js';

const WAIT_MS = 250;

/** Counts groups of changes in a scope, or in all of them. Those within a moment are one group. */
export function useChangeCount(scope: ScopeInput | undefined): number {
  const [count, setCount] = useState(0);
  const isFirst = useRef(true);
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    isFirst.current = true;
    const stop = lastChanges.subscribe((changes) => {
      // A subscription begins with what was there before.
      if (isFirst.current) {
        isFirst.current = false;
        return;
      }
      const isMeant = changes.some((each) => scope === undefined || isSameScope(each.scope, scope));
      if (!isMeant || waiting.current !== undefined) return;
      waiting.current = setTimeout(() => {
        waiting.current = undefined;
        setCount((before) => before + 1);
      }, WAIT_MS);
    });
    return () => {
      stop();
      clearTimeout(waiting.current);
      waiting.current = undefined;
    };
  }, [JSON.stringify(scope)]);
  return count;
}
