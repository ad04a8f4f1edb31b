/**
 * Seals contents of any length with AES-256-GCM (NIST SP 800-38D): a nonce, the ciphertext, and the
 * authentication tag.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomFillSync,
} from 'node:crypto';

const CIPHER = 'aes-256-gcm';
/** Bytes of a key for AES-256. */
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** The nonce ends with a count in this many bytes; the bytes before it are random. */
const COUNT_BYTES = 2;
const COUNT_AT = NONCE_BYTES - COUNT_BYTES;
const COUNTS = 2 ** (8 * COUNT_BYTES);

/** Bytes of the authentication tag. */
export const TAG_BYTES = 16;

/** Fewest bytes of something sealed. */
export const SEALED_BYTES_MIN = NONCE_BYTES + TAG_BYTES;

/** Returns the bytes that a content of a number of bytes takes when it is sealed. */
export function sealedSize(bytes: number): number {
  return NONCE_BYTES + bytes + TAG_BYTES;
}

/** One key, prepared for many contents. */
export class SealKey {
  /** Node.js prepares a key object once, and the bytes of a key for each cipher. */
  readonly #key: KeyObject;
  readonly #nonce = Buffer.alloc(NONCE_BYTES);
  #count = COUNTS;

  constructor(key: Uint8Array) {
    this.#key = createSecretKey(key);
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
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated);
    into.set(nonce, at);
    into.set(cipher.update(content), at + NONCE_BYTES);
    cipher.final();
    into.set(cipher.getAuthTag(), at + NONCE_BYTES + content.length);
  }

  /** Returns the content, or `undefined` if it does not verify. */
  open(sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
    const end = sealed.length - TAG_BYTES;
    if (end < NONCE_BYTES) return undefined;
    const nonce = sealed.subarray(0, NONCE_BYTES);
    const cipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(associated).setAuthTag(sealed.subarray(end));
    const content = cipher.update(sealed.subarray(NONCE_BYTES, end));
    try {
      cipher.final();
      return content;
    } catch {
      return undefined;
    }
  }

  /** Counts up. The random bytes are drawn when the process first seals, and after each turn. */
  #nextNonce(): Buffer {
    if (this.#count === COUNTS) {
      randomFillSync(this.#nonce, 0, COUNT_AT);
      this.#count = 0;
    }
    this.#nonce.writeUIntBE(this.#count, COUNT_AT, COUNT_BYTES);
    this.#count += 1;
    return this.#nonce;
  }
}
