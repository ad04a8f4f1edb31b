/**
 * Seals contents of any length with a key: a nonce, the ciphertext of the content with its padding,
 * and the code. The padding is 80 and zeros up to a whole block (ISO/IEC 7816-4).
 */
import { hkdfSync, randomFillSync } from 'node:crypto';
import { CODE_BYTES, OcbKey } from './aes-ocb.js';
import { BLOCK_BYTES } from './blocks.js';
import { LAST_BITS, NONCE_BYTES } from './nonce-offsets.js';

/** Bytes of a key for AES-256. */
const KEY_BYTES = 32;
const PADDING = 0x80;

/** Fewest bytes of something sealed. */
export const SEALED_BYTES_MIN = NONCE_BYTES + BLOCK_BYTES + CODE_BYTES;

/** Returns the bytes that a content of a number of bytes takes when it is sealed. */
export function sealedSize(bytes: number): number {
  return NONCE_BYTES + paddedBlocks(bytes) * BLOCK_BYTES + CODE_BYTES;
}

/** One key, prepared for many contents. */
export class SealKey {
  readonly #ocb: OcbKey;
  /** The last nonce. Its last bits count up; the others are random, and others after each turn. */
  readonly #nonce = new Uint8Array(NONCE_BYTES).fill(LAST_BITS);

  constructor(key: Uint8Array) {
    this.#ocb = new OcbKey(key);
  }

  /** Returns the key for one use of a secret, by HKDF. */
  static derived(secret: Uint8Array, use: string): SealKey {
    return new SealKey(Buffer.from(hkdfSync('sha256', secret, '', `agentkeep ${use}`, KEY_BYTES)));
  }

  /** Seals a content. It opens with the same associated data only. */
  seal(content: Uint8Array, associated: Uint8Array): Buffer {
    const sealed = Buffer.allocUnsafe(sealedSize(content.length));
    this.sealInto(sealed, 0, content, associated);
    return sealed;
  }

  /** As {@link seal}, into bytes from a position on. */
  sealInto(into: Uint8Array, at: number, content: Uint8Array, associated: Uint8Array): void {
    const nonce = this.#nextNonce();
    into.set(nonce, at);
    const start = at + NONCE_BYTES;
    into.set(content, start);
    const end = start + paddedBlocks(content.length) * BLOCK_BYTES;
    into[start + content.length] = PADDING;
    for (let index = start + content.length + 1; index < end; index += 1) into[index] = 0;
    this.#ocb.seal(into.subarray(start, end + CODE_BYTES), nonce, associated);
  }

  /** Returns the content, or `undefined` if it does not verify. */
  open(sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
    if (sealed.length < SEALED_BYTES_MIN) return undefined;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const text = this.#ocb.open(nonce, sealed.subarray(NONCE_BYTES), associated);
    if (text === undefined) return undefined;
    let end = text.length - 1;
    while (text[end] === 0) end -= 1;
    return text[end] === PADDING ? text.subarray(0, end) : undefined;
  }

  #nextNonce(): Uint8Array {
    const nonce = this.#nonce;
    const last = nonce[NONCE_BYTES - 1] ?? 0;
    if ((last & LAST_BITS) === LAST_BITS) {
      randomFillSync(nonce);
      nonce[NONCE_BYTES - 1] = (nonce[NONCE_BYTES - 1] ?? 0) & ~LAST_BITS;
    } else {
      nonce[NONCE_BYTES - 1] = last + 1;
    }
    return nonce;
  }
}

function paddedBlocks(bytes: number): number {
  return Math.floor(bytes / BLOCK_BYTES) + 1;
}
