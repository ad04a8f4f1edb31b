/** Work that waits only if it has to: a result that is already available, or else a promise. */
import type { Settled } from './store.js';

export type { Settled } from './store.js';

/** Runs `next` with a result: synchronously if it is already available. */
export function whenSettled<T, R>(result: Settled<T>, next: (value: T) => Settled<R>): Settled<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}
