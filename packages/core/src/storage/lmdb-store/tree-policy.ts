/** Decides which tree of the data file holds a key, by the subspace that the key names. */

/** Returns the number of the subspace that a key names after its tenant; -1 if it names none. */
export function subspaceIn(key: Uint8Array | string): number {
  if (typeof key === 'string') {
    const zero = key.indexOf('\0');
    return zero === -1 || zero + 1 === key.length ? -1 : key.charCodeAt(zero + 1);
  }
  const zero = key.indexOf(0);
  return zero === -1 ? -1 : (key[zero + 1] ?? -1);
}

/**
 * Returns the number of the subspace of one tenant that contains all keys from `from` up to `to`,
 * or `undefined` if they may be in several.
 */
export function onlySubspaceIn(from: Uint8Array, to: Uint8Array): number | undefined {
  const zero = from.indexOf(0);
  const number = zero === -1 ? undefined : from[zero + 1];
  if (number === undefined || to.length < zero + 2) return undefined;
  for (let at = 0; at <= zero; at++) if (from[at] !== to[at]) return undefined;
  if (to[zero + 1] === number) return number;
  // The end of a subspace is the start of the next one.
  return to[zero + 1] === number + 1 && to.length === zero + 2 ? number : undefined;
}
