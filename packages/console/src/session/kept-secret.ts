/**
 * The secret that a person signed in with, kept in the storage of the tab: it is there after a
 * reload, in no other tab, and gone once the tab is closed or the person signs out.
 */

const KEY = 'agentkeep_secret';

/** Keeps a secret, where the browser lets the page. */
export function keepSecret(secret: string): void {
  inStorage((storage) => storage.setItem(KEY, secret));
}

/** Returns the kept secret, or `undefined`. */
export function keptSecret(): string | undefined {
  return inStorage((storage) => storage.getItem(KEY)) ?? undefined;
}

/** Forgets it. */
export function forgetSecret(): void {
  inStorage((storage) => storage.removeItem(KEY));
}

/** A browser that blocks storage refuses its mere mention. */
function inStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
