/** Decides how long an API key lives (docs/contract/api-keys.md#key-11). */

const DAY_MS = 86_400_000;

/** Returns when a key created now expires, in Unix milliseconds; null for never. */
export function endOfApiKey(createdAtMillis: number, days: number | null): number | null {
  return days === null ? null : createdAtMillis + days * DAY_MS;
}

/** Returns whether a key still authenticates. At the moment of its expiry it doesn't. */
export function isActive(key: { readonly expiresAtMillis: number | null }, nowMs: number): boolean {
  return key.expiresAtMillis === null || nowMs < key.expiresAtMillis;
}
