/** A hook for work that takes long, so that a person may stop it. */
import type { Agent } from '@agentkeep/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type Action, useAction } from './use-loaded.js';

/** Work that can be stopped; leaving it stops it too. */
export interface LongWork<A extends unknown[]> extends Action<A> {
  readonly stop: () => void;
  /** Whether it was stopped, the last time that it ran. */
  readonly wasStopped: boolean;
}

/** Returns work that stops with its signal. */
export function useLongWork<A extends unknown[]>(
  work: (agent: Agent, signal: AbortSignal, ...input: A) => Promise<void>,
): LongWork<A> {
  const running = useRef<AbortController>(undefined);
  const [wasStopped, setStopped] = useState(false);
  const action = useAction(async (agent, ...input: A) => {
    const { signal } = (running.current = new AbortController());
    setStopped(false);
    try {
      await work(agent, signal, ...input);
    } catch (error) {
      if (!signal.aborted) throw error;
      setStopped(true);
    }
  });
  const stop = (): void => running.current?.abort();
  useEffect(() => stop, []);
  return { ...action, stop, wasStopped };
}
