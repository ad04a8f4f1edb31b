/**
 * Signatures of bytes: which trigrams (three bytes in a row) may be in them, as a Bloom filter with
 * one hash function. Bytes that contain others also contain all their trigrams.
 */

const TRIGRAM_BYTES = 3;
/** Trigrams of a pattern that are looked up; more would hardly exclude more. */
const LOOKED_UP_MAX = 64;
/** 2^32 divided by the golden ratio, which spreads neighbouring numbers. */
const SPREAD = 0x9e3779b1;
const BITS_MIN_LOG2 = 8;
const BITS_MAX_LOG2 = 20;

/** Returns the bits of a signature for some bytes: at least one for two bytes, as a power of 2. */
function bitsLog2For(size: number): number {
  return Math.min(BITS_MAX_LOG2, Math.max(BITS_MIN_LOG2, Math.ceil(Math.log2(size + 1)) - 1));
}

/** Returns the memory of the signature of some bytes, in bytes. */
export function signatureBytes(size: number): number {
  return 2 ** bitsLog2For(size) / 8;
}

/** The trigrams that bytes may contain. */
export class Signature {
  readonly #words: Uint32Array;
  readonly #shift: number;

  /** Makes an empty signature for this number of bytes. */
  constructor(size: number) {
    const bitsLog2 = bitsLog2For(size);
    this.#words = new Uint32Array(2 ** bitsLog2 / 32);
    this.#shift = 32 - bitsLog2;
  }

  /** Adds all trigrams of some bytes. */
  add(bytes: Uint8Array): void {
    const words = this.#words;
    const shift = this.#shift;
    let trigram = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
    for (let at = TRIGRAM_BYTES - 1; at < bytes.length; at += 1) {
      trigram = ((trigram << 8) | (bytes[at] ?? 0)) & 0xffffff;
      const bit = Math.imul(trigram, SPREAD) >>> shift;
      words[bit >>> 5] = (words[bit >>> 5] ?? 0) | (1 << (bit & 31));
    }
  }

  /** Returns whether all of these {@link trigramHashes} may be present. */
  mayContain(hashes: Uint32Array): boolean {
    for (const hash of hashes) {
      const bit = hash >>> this.#shift;
      if (((this.#words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

/** Returns the hashes of the trigrams of a pattern, the last ones first: they vary the most. */
export function trigramHashes(pattern: Uint8Array): Uint32Array {
  const count = Math.min(LOOKED_UP_MAX, Math.max(0, pattern.length - TRIGRAM_BYTES + 1));
  const hashes = new Uint32Array(count);
  for (let index = 0; index < count; index += 1) {
    const at = pattern.length - TRIGRAM_BYTES - index;
    const [first = 0, second = 0, third = 0] = pattern.subarray(at, at + TRIGRAM_BYTES);
    hashes[index] = Math.imul((first << 16) | (second << 8) | third, SPREAD);
  }
  return hashes;
}
