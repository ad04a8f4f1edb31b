/**
 * Finds bytes among bytes, in time linear in their number whatever they are.
 *
 * `Buffer.indexOf` is fast, but prepares for the last 250 bytes of what it looks for alone: a long
 * part that repeats itself, in text that does as well, costs it their product. So it only finds
 * where a short head begins, and from there on the rest is matched without ever going back (Knuth,
 * Morris and Pratt).
 * @module
 */

/** Bytes that `Buffer.indexOf` finds in linear time. */
const HEAD_BYTES = 64;

/** Bytes to look for. */
export class BytePattern {
  readonly #bytes: Buffer;
  readonly #head: Buffer;
  #borders: Uint32Array | undefined;

  /** Takes at least one byte. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#head = bytes.subarray(0, HEAD_BYTES);
  }

  /** Whether they lie in other bytes, wholly between `start` and `end`. */
  isIn(bytes: Buffer, start: number, end: number): boolean {
    const at = bytes.indexOf(this.#head, start);
    if (at === -1 || at + this.#bytes.length > end) return false;
    return this.#head.length === this.#bytes.length || this.#isMatched(bytes, at, end);
  }

  #isMatched(bytes: Buffer, start: number, end: number): boolean {
    const part = this.#bytes;
    const borders = (this.#borders ??= bordersOf(part));
    let matched = 0;
    for (let at = start; at < end; at += 1) {
      while (matched > 0 && bytes[at] !== part[matched]) matched = borders[matched - 1] ?? 0;
      if (bytes[at] === part[matched]) matched += 1;
      if (matched === part.length) return true;
    }
    return false;
  }
}

/** For each byte of a part: how many of the bytes up to it are also the first ones. */
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
