/** Work that waits only if it has to: a result that is already available, or else a promise. */
import type { Settled } from './store.js';

export type { Settled } from './store.js';

/** Runs `next` with a result: synchronously if it is already available. */
export function whenSettled<T, R>(result: Settled<T>, next: (value: T) => Settled<R>): Settled<R> {
  return result instanceof Promise ? result.then(next) : next(result);
}

/**
 * Returns the result of a body. Refuses promises, because their later work would run outside the
 * transaction.
 *
 * @throws {TypeError} The body returned a promise.
 */
export function settledResult<T>(result: T): T {
  if (!isThenable(result)) return result;
  // The refused promise is not awaited, so its rejection must not end the process.
  Promise.resolve(result).catch(() => undefined);
  throw new TypeError(
    'A transaction body must return a result, not a promise. Await outside the transaction.',
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  return typeof (value as { then?: unknown }).then === 'function';
}
