/** Loads the packages of logins before somebody needs them. */
import { clearTimeout, setTimeout } from 'node:timers';
import { loadArgon2 } from './password/argon2-hasher.js';
import { loadJose } from './token/jose-tokens.js';

/** Time after an opening at which the packages of logins are loaded. Short programs end before. */
const WARM_UP_MS = 1_000;

/**
 * Loads the packages of logins soon after the start, so that the first login does not wait for
 * them.
 */
export function warmUp(): { stop(): Promise<void> } {
  const timer = setTimeout(() => {
    // A package that cannot be loaded is reported by the calls that need it.
    Promise.all([loadArgon2(), loadJose()]).catch(() => undefined);
  }, WARM_UP_MS).unref();
  return {
    stop: () => {
      clearTimeout(timer);
      return Promise.resolve();
    },
  };
}
