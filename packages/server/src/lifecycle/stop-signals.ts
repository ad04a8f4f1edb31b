/** Stop signals of the process. */

/** Listens for signals from creation to disposal. */
export interface StopSignals extends Disposable {
  /** Resolves with the first signal. */
  readonly first: Promise<NodeJS.Signals>;
}

const STOP_SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM'];

/**
 * Replaces the default action of SIGINT and SIGTERM. Further signals only call `onFurther`:
 * terminals and process managers often send a signal twice, and accepted work is never cut short.
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
