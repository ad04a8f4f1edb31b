/** Hooks that load what a screen shows, and that do what a person asks for. */
import type { Agent } from '@agentkeep/client';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { type Failure, failureOf } from './refusals.js';
import { useServerReturn } from './server-return.js';
import { beginWork, type Work } from './session.js';

/** What is loaded: nothing yet, a value, or a failure. The last value stays while it is renewed. */
export interface Loaded<T> {
  readonly value: T | undefined;
  readonly failure: Failure | undefined;
  readonly isLoading: boolean;
}

interface LoadedFor<T> extends Loaded<T> {
  readonly inputs: readonly unknown[];
}

/**
 * Loads a value, and again when `inputs` change, or when a server that was away is back. A value
 * that comes too late is dropped. `isLoading` is true from the first render with changed inputs.
 */
export function useLoaded<T>(
  load: (agent: Agent, signal: AbortSignal, work: Work) => Promise<T>,
  inputs: readonly unknown[],
): Loaded<T> {
  const [loaded, setLoaded] = useState<LoadedFor<T>>({
    ...{ value: undefined, failure: undefined, isLoading: true, inputs },
  });
  const tries = useServerReturn(loaded.failure);
  useEffect(() => {
    const left = new AbortController();
    const work = beginWork();
    setLoaded((before) => ({ ...before, isLoading: true }));
    load(work.agent, left.signal, work).then(
      (value) => {
        if (!left.signal.aborted)
          setLoaded({ value, failure: undefined, isLoading: false, inputs });
      },
      (error: unknown) => {
        if (left.signal.aborted) return;
        const failure = failureOf(error, work.requestId);
        setLoaded({ value: undefined, failure, isLoading: false, inputs });
      },
    );
    return () => {
      left.abort();
    };
  }, [...inputs, tries]);
  const isOutdated = inputs.some((input, index) => !Object.is(input, loaded.inputs[index]));
  return isOutdated ? { ...loaded, isLoading: true } : loaded;
}

/** A setting that is loaded again once a change of it is stored. */
export interface LoadedSetting<T> extends Loaded<T> {
  /** Whether a change is stored, and the value shows it. */
  readonly isSaved: boolean;
  readonly onSaved: () => void;
}

/** {@link useLoaded}, for a setting that the screen changes. */
export function useSetting<T>(
  load: (agent: Agent, signal: AbortSignal, work: Work) => Promise<T>,
  inputs: readonly unknown[],
): LoadedSetting<T> {
  const [saved, setSaved] = useState(0);
  const loaded = useLoaded(load, [...inputs, saved]);
  const onSaved = (): void => setSaved((count) => count + 1);
  return { ...loaded, isSaved: saved > 0 && !loaded.isLoading, onSaved };
}

/** Something that a person can do once at a time. */
export interface Action<A extends unknown[]> {
  readonly run: (...input: A) => void;
  readonly isRunning: boolean;
  readonly failure: Failure | undefined;
  readonly forget: () => void;
}

/** Returns an action that runs with an agent of its own, and keeps its failure. */
export function useAction<A extends unknown[]>(
  act: (agent: Agent, ...input: A) => Promise<void>,
): Action<A> {
  return useWork(({ agent }, ...input: A) => act(agent, ...input));
}

/** {@link useAction}, for what also needs the requests of the work. */
export function useWork<A extends unknown[]>(
  act: (work: Work, ...input: A) => Promise<void>,
): Action<A> {
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const run = (...input: A): void => {
    if (isRunning) return;
    const work = beginWork();
    setRunning(true);
    setFailure(undefined);
    act(work, ...input)
      .catch((error: unknown) => {
        setFailure(failureOf(error, work.requestId));
      })
      .finally(() => {
        setRunning(false);
      });
  };
  const forget = useCallback(() => {
    setFailure(undefined);
  }, []);
  return { run, isRunning, failure, forget };
}
