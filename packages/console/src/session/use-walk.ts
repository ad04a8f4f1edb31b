/** A hook that loads a long list a step at a time. */
import type { Agent } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Failure, failureOf } from './refusals.js';
import { beginWork } from './session.js';

const STEP = 100;

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

/** Loads the beginning of a list, and again when `inputs` change. The old one stays meanwhile. */
export function useWalk<T>(
  walk: (agent: Agent, signal: AbortSignal) => AsyncGenerator<T, void>,
  inputs: readonly unknown[],
): Walked<T> {
  const [state, setState] = useState<State<T>>({
    ...{ items: undefined, hasMore: false, isLoading: true, failure: undefined },
  });
  const pull = useRef<() => void>(() => undefined);
  useEffect(() => {
    const left = new AbortController();
    const work = beginWork();
    const take = stepsOf(walk(work.agent, left.signal));
    const set = (next: (before: State<T>) => State<T>): void => {
      if (!left.signal.aborted) setState(next);
    };
    pull.current = (): void => {
      set((before) => ({ ...before, isLoading: true, failure: undefined }));
      take().then(
        (taken) => set(() => ({ ...taken, isLoading: false, failure: undefined })),
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
  }, inputs);
  return { ...state, more: () => pull.current() };
}

/** Returns a function that takes one more step, and returns all that was taken. */
function stepsOf<T>(rest: AsyncGenerator<T, void>) {
  let items: readonly T[] = [];
  let ahead: IteratorResult<T, void> | undefined;
  return async (): Promise<{ readonly items: readonly T[]; readonly hasMore: boolean }> => {
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
