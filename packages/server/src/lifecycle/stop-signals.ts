/** Stop signals of the process. */
import { performance } from 'node:perf_hooks';

/** Listens for signals from creation to disposal. */
export interface StopSignals extends Disposable {
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
  /** Resolves with the next signal that does not belong to the first. */
  readonly second: Promise<NodeJS.Signals>;
}

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/** Terminals and process managers often send a signal twice: both count as one within this time. */
const ECHO_MS = 500;

/**
 * Replaces the default action of SIGINT and SIGTERM. `nowMs` returns the time of a monotonic clock.
 */
export function listenForStopSignals(nowMs = (): number => performance.now()): StopSignals {
  let firstMs: number | undefined;
  let hasSecond = false;
  const first = deferred();
  const second = deferred();
  const listener = (signal: NodeJS.Signals): void => {
    firstMs ??= nowMs();
    first.resolve(signal);
    hasSecond ||= nowMs() - firstMs >= ECHO_MS;
    if (hasSecond) second.resolve(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return {
    first: first.promise,
    second: second.promise,
    [Symbol.dispose]: () => {
      // After the second signal the process ends. A third one must not change its exit status.
      if (hasSecond) return;
      for (const signal of STOP_SIGNALS) process.removeListener(signal, listener);
    },
  };
}

function deferred() {
  let resolve: (signal: NodeJS.Signals) => void = () => undefined;
  const promise = new Promise<NodeJS.Signals>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
