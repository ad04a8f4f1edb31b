/**
 * Waiting for what another turn or process does.
 */
import { vi } from 'vitest';

/** Far beyond what it takes, so that a busy machine fails nothing. */
const TIMEOUT_MS = 240_000;

/** Checks again and again until the check throws nothing; gives what it returns. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, TIMEOUT_MS);
}
