/** A hook that loads a long list a step at a time. */
import type { Agent } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { keep, keptAt } from '../routing/kept.js';
import { presentPlace } from '../routing/router.js';
import { type Failure, failureOf } from './refusals.js';
import { useServerReturn } from './server-return.js';
import { beginWork, type Work } from './session.js';

const STEP = 100;

/** The name under which it is kept how many items were loaded at a place. */
const LOADED = 'loaded items';

/** What is loaded of a list. */
export interface Walked<T> {
  /** Absent until the first step is there. */
  readonly items: readonly T[] | undefined;
  readonly hasMore: boolean;
  readonly isLoading: boolean;
  readonly failure: Failure | undefined;
  readonly more: () => void;
}

type State<T> = Omit<Walked<T>, 'more'>;

/**
 * Loads the beginning of a list, or as much of it as was loaded before "back", and again when
 * `inputs` change, or when a server that was away is back. The old one stays meanwhile.
 */
export function useWalk<T>(
  walk: (agent: Agent, signal: AbortSignal, work: Work) => AsyncGenerator<T, void>,
  inputs: readonly unknown[],
): Walked<T> {
  const [state, setState] = useState<State<T>>({
    ...{ items: undefined, hasMore: false, isLoading: true, failure: undefined },
  });
  const tries = useServerReturn(state.failure);
  const pull = useRef<() => void>(() => undefined);
  useEffect(() => {
    const left = new AbortController();
    const work = beginWork();
    const place = presentPlace();
    const kept = keptAt(place, LOADED);
    const least = typeof kept === 'number' ? kept : 0;
    const take = stepsOf(walk(work.agent, left.signal, work));
    const set = (next: (before: State<T>) => State<T>): void => {
      if (!left.signal.aborted) setState(next);
    };
    pull.current = (): void => {
      set((before) => ({ ...before, isLoading: true, failure: undefined }));
      takeAtLeast(take, least).then(
        (taken) => {
          if (!left.signal.aborted) keep(place, LOADED, taken.items.length);
          set(() => ({ ...taken, isLoading: false, failure: undefined }));
        },
        (error: unknown) => {
          const failure = failureOf(error, work.requestId);
          set((before) => ({ ...before, hasMore: false, isLoading: false, failure }));
        },
      );
    };
    pull.current();
    return () => {
      left.abort();
    };
  }, [...inputs, tries]);
  return { ...state, more: () => pull.current() };
}

/** All that was taken of a list, and whether there is more. */
interface Taken<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Takes one more step, or as many as so many items need. */
async function takeAtLeast<T>(take: () => Promise<Taken<T>>, least: number): Promise<Taken<T>> {
  for (;;) {
    const taken = await take();
    if (!taken.hasMore || taken.items.length >= least) return taken;
  }
}

/** Returns a function that takes one more step, and returns all that was taken. */
function stepsOf<T>(rest: AsyncGenerator<T, void>) {
  let items: readonly T[] = [];
  let ahead: IteratorResult<T, void> | undefined;
  return async (): Promise<Taken<T>> => {
    const step: T[] = [];
    ahead ??= await rest.next();
    while (ahead.done !== true && step.length < STEP) {
      step.push(ahead.value);
      ahead = await rest.next();
    }
    items = [...items, ...step];
    return { items, hasMore: ahead.done !== true };
  };
}
