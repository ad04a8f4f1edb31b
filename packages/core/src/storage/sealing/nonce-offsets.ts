/** The offsets with which texts begin, by their nonces (RFC 7253, section 4.2). */
import type { Cipher } from 'node:crypto';
import { keyText } from '../store/bytes.js';
import { BLOCK_BYTES, Blocks } from './blocks.js';
import { BoundedMap } from './bounded-map.js';

/** Bytes of a nonce. */
export const NONCE_BYTES = 12;

/** Nonces that differ in these bits of the last byte only have one block, encrypted once. */
export const LAST_BITS = 0x3f;

/** Where a nonce begins in its block. */
const NONCE_AT = BLOCK_BYTES - NONCE_BYTES;

/** Bytes of an encrypted block that are added to themselves and follow it. */
const STRETCHED_BYTES = 8;

/** Encrypted blocks of all keys, of about 250 bytes each in memory. */
const remembered = new BoundedMap<Uint8Array>(16_384);
let keys = 0;

/** Offsets of one key. */
export class NonceOffsets {
  readonly #cipher: Cipher;
  readonly #key = `${(keys += 1)} `;
  /** The last nonce in its block, without its last bits. */
  readonly #block = new Uint8Array(BLOCK_BYTES);
  /** What it was encrypted to, stretched. */
  #stretch: Uint8Array | undefined;
  readonly #offset = new Blocks(1);

  constructor(cipher: Cipher) {
    this.#cipher = cipher;
    // Before it come the length of the code in 7 bits, which is 0 for 128, and zeros.
    this.#block[NONCE_AT - 1] = 1;
  }

  /** Returns the offset of a nonce, on loan until the next call. */
  of(nonce: Uint8Array): Uint32Array {
    const stretch = this.#stretchOf(nonce);
    const bits = (nonce[NONCE_BYTES - 1] ?? 0) & LAST_BITS;
    const shift = bits & 7;
    const from = bits >>> 3;
    for (let at = 0; at < BLOCK_BYTES; at += 1) {
      const high = stretch[from + at] ?? 0;
      const low = stretch[from + at + 1] ?? 0;
      this.#offset.bytes[at] = (high << shift) | (low >>> (8 - shift));
    }
    return this.#offset.words;
  }

  #stretchOf(nonce: Uint8Array): Uint8Array {
    if (this.#stretch !== undefined && this.#isLast(nonce)) return this.#stretch;
    this.#block.set(nonce, NONCE_AT);
    this.#block[BLOCK_BYTES - 1] = (nonce[NONCE_BYTES - 1] ?? 0) & ~LAST_BITS;
    const name = this.#key + keyText(this.#block);
    const known = remembered.get(name);
    this.#stretch = known ?? this.#encrypted();
    if (known === undefined) remembered.set(name, this.#stretch);
    return this.#stretch;
  }

  #isLast(nonce: Uint8Array): boolean {
    const block = this.#block;
    for (let at = 0; at < NONCE_BYTES - 1; at += 1) {
      if (block[NONCE_AT + at] !== nonce[at]) return false;
    }
    return block[BLOCK_BYTES - 1] === ((nonce[NONCE_BYTES - 1] ?? 0) & ~LAST_BITS);
  }

  #encrypted(): Uint8Array {
    const stretch = new Uint8Array(BLOCK_BYTES + STRETCHED_BYTES);
    stretch.set(this.#cipher.update(this.#block));
    for (let at = 0; at < STRETCHED_BYTES; at += 1) {
      stretch[BLOCK_BYTES + at] = (stretch[at] ?? 0) ^ (stretch[at + 1] ?? 0);
    }
    return stretch;
  }
}
