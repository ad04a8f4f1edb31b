/** The offsets with which texts begin, by their nonces (RFC 7253, section 4.2). */
import type { Cipher } from 'node:crypto';
import { BLOCK_BYTES, Blocks } from './blocks.js';

/** Bytes of a nonce. */
export const NONCE_BYTES = 12;

/** Nonces that differ in these bits of the last byte only are encrypted once. */
export const LAST_BITS = 0x3f;

/** Bytes of an encrypted nonce that are added to themselves and follow it. */
const STRETCHED_BYTES = 8;

/** Offsets of one key. */
export class NonceOffsets {
  readonly #cipher: Cipher;
  /** The last nonce in its block, without its last bits. */
  readonly #nonce = new Uint8Array(BLOCK_BYTES);
  /** What it was encrypted to, stretched. */
  readonly #stretch = new Uint8Array(BLOCK_BYTES + STRETCHED_BYTES);
  readonly #offset = new Blocks(1);

  constructor(cipher: Cipher) {
    this.#cipher = cipher;
  }

  /** Returns the offset of a nonce, on loan until the next call. */
  of(nonce: Uint8Array): Uint32Array {
    const last = nonce[NONCE_BYTES - 1] ?? 0;
    if (!this.#isLast(nonce)) this.#encrypt(nonce);
    const bits = last & LAST_BITS;
    const shift = bits & 7;
    const from = bits >>> 3;
    for (let at = 0; at < BLOCK_BYTES; at += 1) {
      const high = this.#stretch[from + at] ?? 0;
      const low = this.#stretch[from + at + 1] ?? 0;
      this.#offset.bytes[at] = (high << shift) | (low >>> (8 - shift));
    }
    return this.#offset.words;
  }

  #isLast(nonce: Uint8Array): boolean {
    const known = this.#nonce;
    for (let at = 0; at < NONCE_BYTES - 1; at += 1) {
      if (known[at + BLOCK_BYTES - NONCE_BYTES] !== nonce[at]) return false;
    }
    return known[BLOCK_BYTES - 1] === ((nonce[NONCE_BYTES - 1] ?? 0) & ~LAST_BITS);
  }

  #encrypt(nonce: Uint8Array): void {
    const block = this.#nonce;
    // The length of the code in 7 bits, which is 0 for 128, then zeros and a one.
    block[BLOCK_BYTES - NONCE_BYTES - 1] = 1;
    block.set(nonce, BLOCK_BYTES - NONCE_BYTES);
    block[BLOCK_BYTES - 1] = (block[BLOCK_BYTES - 1] ?? 0) & ~LAST_BITS;
    const stretch = this.#stretch;
    stretch.set(this.#cipher.update(block));
    for (let at = 0; at < STRETCHED_BYTES; at += 1) {
      stretch[BLOCK_BYTES + at] = (stretch[at] ?? 0) ^ (stretch[at + 1] ?? 0);
    }
  }
}
