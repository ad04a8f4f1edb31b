/**
 * Finds bytes among bytes, always in linear time.
 *
 * `Buffer.indexOf` is fast, but its preparation covers only the last 250 bytes of the needle. For a
 * long repetitive needle in repetitive text, its time is the product of their lengths. It is
 * therefore used only to find a short head. The rest is matched without backtracking (Knuth, Morris
 * and Pratt).
 */

/** Bytes that `Buffer.indexOf` finds in linear time. */
const HEAD_BYTES = 64;

/** Bytes to look for. */
export class BytePattern {
  readonly bytes: Buffer;
  readonly #head: Buffer;
  #borders: Uint32Array | undefined;

  /** Takes at least one byte. */
  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.#head = bytes.subarray(0, HEAD_BYTES);
  }

  /** Returns where the pattern first is, completely between `start` and `end`, or -1. */
  indexIn(other: Buffer, start: number, end: number): number {
    const at = other.indexOf(this.#head, start);
    if (at === -1 || at + this.bytes.length > end) return -1;
    return this.#head.length === this.bytes.length ? at : this.#matchFrom(other, at, end);
  }

  #matchFrom(other: Buffer, start: number, end: number): number {
    const part = this.bytes;
    const borders = (this.#borders ??= bordersOf(part));
    let matched = 0;
    for (let at = start; at < end; at += 1) {
      while (matched > 0 && other[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
      if (other[at] === part[matched]) matched += 1;
      if (matched === part.length) return at + 1 - matched;
    }
    return -1;
  }
}

/** Returns, for each byte, the length of the longest proper prefix that ends there. */
function bordersOf(part: Buffer): Uint32Array {
  const borders = new Uint32Array(part.length);
  let border = 0;
  for (let at = 1; at < part.length; at += 1) {
    while (border > 0 && part[at] !== part[border]) border = borders[border - 1] ?? 0;
    if (part[at] === part[border]) border += 1;
    borders[at] = border;
  }
  return borders;
}
