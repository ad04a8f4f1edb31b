/** Timers that a test moves, in the product too, which takes its timers from `node:timers`. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { vi } from 'vitest';

const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;
const real = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate };

/**
 * Replaces these timers, as globals and in `node:timers`, until `useRealTimers()`. `vi` alone leaves
 * `node:timers` as it is, so that a keep goes on under the fake timers of its users' tests.
 */
export function useFakeTimers(...names: readonly (keyof typeof real)[]): void {
  vi.useFakeTimers({ toFake: [...names] });
  for (const name of names) Object.assign(timers, { [name]: globalThis[name] });
  syncBuiltinESMExports();
}

/** Puts the real timers back. */
export function useRealTimers(): void {
  vi.useRealTimers();
  Object.assign(timers, real);
  syncBuiltinESMExports();
}
