/**
 * Integers in as few bytes as possible: seven bits in each byte, the lowest first; the highest bit
 * of a byte marks that another one follows.
 */

const MORE = 0x80;

/** Bytes that the longest integer takes. */
export const COMPACT_BYTES_MAX = 8;

/** Returns the bytes that a non-negative safe integer takes. */
export function compactSize(integer: number): number {
  let size = 1;
  for (let left = integer; left >= MORE; left = Math.floor(left / MORE)) size += 1;
  return size;
}

/** Writes a non-negative safe integer. Returns where it ends. */
export function writeCompact(bytes: Uint8Array, start: number, integer: number): number {
  let at = start;
  let left = integer;
  for (; left >= MORE; left = Math.floor(left / MORE)) bytes[at++] = MORE | (left % MORE);
  bytes[at++] = left;
  return at;
}

/** Reads an integer that {@link writeCompact} wrote. {@link compactSize} returns its length. */
export function readCompact(bytes: Uint8Array, start: number): number {
  let integer = 0;
  let weight = 1;
  for (let at = start; at < start + COMPACT_BYTES_MAX; at += 1) {
    const byte = bytes[at] ?? 0;
    integer += (byte % MORE) * weight;
    if (byte < MORE) return integer;
    weight *= MORE;
  }
  throw new RangeError('No compact integer.');
}
