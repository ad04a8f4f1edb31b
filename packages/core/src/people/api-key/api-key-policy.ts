/**
 * Decides how long an API key lives: pure rules (contract, accounts-security 3).
 * @module
 */

const DAY_MS = 86_400_000;

/** When a key that is made now will end, in Unix milliseconds; null is never. */
export function endOfApiKey(createdAtMillis: number, days: number | null): number | null {
  return days === null ? null : createdAtMillis + days * DAY_MS;
}

/** Whether a key still proves its owner; the end itself is outside. */
export function isActive(key: { readonly expiresAtMillis: number | null }, nowMs: number): boolean {
  return key.expiresAtMillis === null || nowMs < key.expiresAtMillis;
}
