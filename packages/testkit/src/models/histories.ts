/** The part of a history that answers show (docs/contract/credentials.md#crd-95). */

/** Returns the newest 64 events of a history. */
export function newest<E>(history: readonly E[]): E[] {
  return history.slice(-64);
}
