/**
 * Signatures of bytes: which grams (four bytes in a row) may be in them, as a Bloom filter with one
 * hash function. Bytes that contain others also contain all their grams. In 100 KB of prose most
 * trigrams occur, but few of the grams of any rare word.
 */

const GRAM_BYTES = 4;
/** Grams of a pattern that are looked up; more would hardly exclude more. */
const LOOKED_UP_MAX = 64;
/** 2^32 divided by the golden ratio, which spreads neighbouring numbers. */
const SPREAD = 0x9e3779b1;
const BITS_MIN_LOG2 = 8;
const BITS_MAX_LOG2 = 20;

/** Returns the bits of a signature for some bytes: about one for each, as a power of 2. */
function bitsLog2For(size: number): number {
  return Math.min(BITS_MAX_LOG2, Math.max(BITS_MIN_LOG2, Math.ceil(Math.log2(size + 1))));
}

/** Returns the memory of the signature of some bytes, in bytes. */
export function signatureBytes(size: number): number {
  return 2 ** bitsLog2For(size) / 8;
}

/** The grams that bytes may contain. */
export class Signature {
  readonly #words: Uint32Array;
  readonly #shift: number;

  /** Makes an empty signature for this number of bytes. */
  constructor(size: number) {
    const bitsLog2 = bitsLog2For(size);
    this.#words = new Uint32Array(2 ** bitsLog2 / 32);
    this.#shift = 32 - bitsLog2;
  }

  /** Adds all grams of some bytes. */
  add(bytes: Uint8Array): void {
    const words = this.#words;
    const shift = this.#shift;
    let gram = ((bytes[0] ?? 0) << 16) | ((bytes[1] ?? 0) << 8) | (bytes[2] ?? 0);
    for (let at = GRAM_BYTES - 1; at < bytes.length; at += 1) {
      gram = (gram << 8) | (bytes[at] ?? 0);
      const bit = Math.imul(gram, SPREAD) >>> shift;
      words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  /** Returns whether all of these {@link gramHashes} may be present. */
  mayContain(hashes: Uint32Array): boolean {
    for (const hash of hashes) {
      const bit = hash >>> this.#shift;
      if (((this.#words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

/** Returns the hashes of the grams of a pattern: none of one that is shorter than a gram. */
export function gramHashes(pattern: Uint8Array): Uint32Array {
  const count = Math.min(LOOKED_UP_MAX, Math.max(0, pattern.length - GRAM_BYTES + 1));
  const hashes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    let gram = 0;
    for (let at = index; at < index + GRAM_BYTES; at += 1) gram = (gram << 8) | (pattern[at] ?? 0);
    hashes[index] = Math.imul(gram, SPREAD);
  }
  return hashes;
}
