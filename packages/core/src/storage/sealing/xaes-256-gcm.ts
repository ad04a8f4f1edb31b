/** XAES-256-GCM of C2SP (https://c2sp.org/XAES-256-GCM): AES-256-GCM with nonces of 24 bytes. */
import { createCipheriv, createDecipheriv, type Cipher } from 'node:crypto';

/** Bytes of a key. */
export const KEY_BYTES = 32;

/** Bytes of a nonce. */
export const NONCE_BYTES = 24;

/** Bytes of the tag behind a ciphertext. */
export const TAG_BYTES = 16;

const BLOCK_BYTES = 16;
const DERIVING_NONCE_BYTES = 12;
/** What doubling adds when the first bit is carried out (NIST SP 800-38B, section 6.1). */
const CARRY = 0x87;

/** One key, prepared for many values. */
export class XaesKey {
  readonly #blocks: Cipher;
  /** The messages M1 and M2, each combined with the subkey; the nonce is combined into a copy. */
  readonly #messages: Buffer;

  /** Copies nothing: `key` must not change afterwards. */
  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES) throw new RangeError(`A key has ${KEY_BYTES} bytes.`);
    this.#blocks = createCipheriv('aes-256-ecb', key, null);
    this.#blocks.setAutoPadding(false);
    const subkey = doubled(this.#blocks.update(Buffer.alloc(BLOCK_BYTES)));
    this.#messages = Buffer.concat([message(1, subkey), message(2, subkey)]);
  }

  /** Returns the ciphertext and its tag, in parts. */
  seal(nonce: Uint8Array, content: Uint8Array, associated: Uint8Array): [Buffer, Buffer] {
    const cipher = createCipheriv(
      'aes-256-gcm',
      this.#derive(nonce),
      nonce.subarray(DERIVING_NONCE_BYTES, NONCE_BYTES),
    );
    cipher.setAAD(associated);
    const sealed = cipher.update(content);
    cipher.final();
    return [sealed, cipher.getAuthTag()];
  }

  /** Returns the content, or `undefined` if it does not verify. */
  open(nonce: Uint8Array, sealed: Uint8Array, associated: Uint8Array): Buffer | undefined {
    const end = sealed.length - TAG_BYTES;
    if (end < 0) return undefined;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.#derive(nonce),
      nonce.subarray(DERIVING_NONCE_BYTES, NONCE_BYTES),
      { authTagLength: TAG_BYTES },
    );
    decipher.setAAD(associated);
    decipher.setAuthTag(sealed.subarray(end));
    const content = decipher.update(sealed.subarray(0, end));
    try {
      decipher.final();
      return content;
    } catch {
      return undefined;
    }
  }

  /** Derives the key of one nonce. */
  #derive(nonce: Uint8Array): Buffer {
    const messages = Buffer.from(this.#messages);
    for (let at = 0; at < DERIVING_NONCE_BYTES; at += 1) {
      const byte = nonce[at] ?? 0;
      messages[4 + at] = (messages[4 + at] ?? 0) ^ byte;
      messages[BLOCK_BYTES + 4 + at] = (messages[BLOCK_BYTES + 4 + at] ?? 0) ^ byte;
    }
    return this.#blocks.update(messages);
  }
}

/** Returns a message of the key derivation without its nonce, combined with the subkey. */
function message(counter: number, subkey: Uint8Array): Buffer {
  const combined = Buffer.from(subkey);
  combined[1] = (combined[1] ?? 0) ^ counter;
  combined[2] = (combined[2] ?? 0) ^ 0x58;
  return combined;
}

/** Doubles a block in the field of CMAC. */
function doubled(block: Uint8Array): Buffer {
  const result = Buffer.alloc(BLOCK_BYTES);
  for (let at = 0; at < BLOCK_BYTES; at += 1) {
    result[at] = (((block[at] ?? 0) << 1) | ((block[at + 1] ?? 0) >>> 7)) & 0xff;
  }
  if (((block[0] ?? 0) & 0x80) !== 0) result[15] = (result[15] ?? 0) ^ CARRY;
  return result;
}
