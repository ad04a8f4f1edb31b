/** Notices when a server that was away answers again, so that screens load what failed. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import type { Failure } from './refusals.js';

/** From a failure to the first question, and between later ones at most. */
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 15_000;

/** Failures that pass by themselves: no answer, and those of a server that starts or stops. */
const passing: ReadonlySet<string | undefined> = new Set([
  'server_unreachable',
  'server_stopping',
  'store_unavailable',
]);

/** How often the server has come back. */
const returns = signal(0);

let isAsking = false;

/** Returns whether a failure passes once the server is back. */
export function isPassing({ code }: Failure): boolean {
  return passing.has(code);
}

/**
 * Counts how often something that failed is worth another try, because the server has come back
 * since. Only reads are tried again: what a person has sent may have arrived.
 */
export function useServerReturn(failure: Failure | undefined): number {
  const [tries, setTries] = useState(0);
  const passed = failure !== undefined && isPassing(failure) ? failure : undefined;
  useEffect(() => {
    if (passed === undefined) return undefined;
    const before = returns.value;
    askUntilReady();
    return returns.subscribe((count) => {
      if (count > before) setTries((known) => known + 1);
    });
  }, [passed]);
  return tries;
}

/** Calls `load` whenever the server has come back after a failure. */
export function useOnReturn(failure: Failure | undefined, load: () => void): void {
  const tries = useServerReturn(failure);
  useEffect(() => {
    if (tries > 0) load();
  }, [tries]);
}

function askUntilReady(): void {
  if (isAsking) return;
  isAsking = true;
  void ask(FIRST_WAIT_MS);
}

async function ask(waitMs: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, waitMs));
  const isReady = await fetch('/readyz').then(
    ({ ok }) => ok,
    () => false,
  );
  if (!isReady) return ask(Math.min(2 * waitMs, WAIT_MAX_MS));
  isAsking = false;
  returns.value += 1;
}
