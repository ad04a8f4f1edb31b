/**
 * The signals that ask a process to stop.
 * @module
 */

/** Waits for signals from the moment it is made. */
export interface StopSignals extends Disposable {
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
}

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Takes SIGINT and SIGTERM over from the system. Further ones change nothing: a terminal and a
 * process manager often send the same request twice, and accepted work is never cut short.
 */
export function listenForStopSignals(onFurther: (signal: NodeJS.Signals) => void): StopSignals {
  let isStopping = false;
  let stop: (signal: NodeJS.Signals) => void = () => undefined;
  const first = new Promise<NodeJS.Signals>((resolve) => {
    stop = resolve;
  });
  const listener = (signal: NodeJS.Signals): void => {
    if (isStopping) onFurther(signal);
    isStopping = true;
    stop(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, listener);
  return {
    first,
    [Symbol.dispose]: () => {
      for (const signal of STOP_SIGNALS) process.removeListener(signal, listener);
    },
  };
}
