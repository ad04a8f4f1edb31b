/**
 * Sealed values: 00, the format, the id of the data key, a nonce, the ciphertext with its tag, and
 * a CRC-32 over the stored key and all that. The content is a stored value.
 */
import { hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { asBuffer } from '../store/bytes.js';
import { crc32OfKey } from '../store/crc32.js';
import { keyedHash } from './keyed-hash.js';
import { NONCE_BYTES, TAG_BYTES, XaesKey } from './xaes-256-gcm.js';

/** Bytes of the id of a data key. */
export const KEY_ID_BYTES = 16;

const FORMAT = 1;
const ID_AT = 2;
const NONCE_AT = ID_AT + KEY_ID_BYTES;
const SEALED_AT = NONCE_AT + NONCE_BYTES;
const CHECKSUM_BYTES = 4;
const LEAST_BYTES = SEALED_AT + 1 + TAG_BYTES + CHECKSUM_BYTES;

/** Returns whether a stored value is sealed. */
export function isSealed(value: Uint8Array): boolean {
  return value[0] === 0 && value[1] === FORMAT && value.length >= LEAST_BYTES;
}

/** Returns whether the checksum of a sealed value verifies, which needs no key. */
export function verifiesSealed(storedKey: Uint8Array, sealed: Uint8Array): boolean {
  const end = sealed.length - CHECKSUM_BYTES;
  const checksum = crc32(sealed.subarray(0, end), crc32OfKey(storedKey));
  return asBuffer(sealed).readUInt32LE(end) === checksum;
}

/** Returns the id of the key of a sealed value, as text of one character per byte. */
export function keyIdIn(sealed: Uint8Array): string {
  return asBuffer(sealed).toString('latin1', ID_AT, NONCE_AT);
}

/** Seals and opens the values of one owner. */
export class DataKey {
  readonly #xaes: XaesKey;
  readonly #id: Uint8Array;
  readonly #nonceSecret: Uint8Array;

  constructor(id: Uint8Array, secret: Uint8Array) {
    this.#id = id;
    const derive = (use: string): Buffer =>
      Buffer.from(hkdfSync('sha256', secret, '', `agentkeep ${use}`, 32));
    this.#xaes = new XaesKey(derive('seal'));
    this.#nonceSecret = derive('nonce');
  }

  /** Seals a stored value. Equal arguments give equal bytes. */
  seal(storedKey: Uint8Array, content: Uint8Array): Uint8Array {
    // From the content, so that a body that runs again gives the same bytes.
    const nonce = keyedHash(this.#nonceSecret, storedKey, content).subarray(0, NONCE_BYTES);
    const [ciphertext, tag] = this.#xaes.seal(nonce, content, storedKey);
    const sealed = Buffer.allocUnsafe(SEALED_AT + content.length + TAG_BYTES + CHECKSUM_BYTES);
    sealed[0] = 0;
    sealed[1] = FORMAT;
    sealed.set(this.#id, ID_AT);
    sealed.set(nonce, NONCE_AT);
    sealed.set(ciphertext, SEALED_AT);
    sealed.set(tag, SEALED_AT + content.length);
    const end = sealed.length - CHECKSUM_BYTES;
    sealed.writeUInt32LE(crc32(sealed.subarray(0, end), crc32OfKey(storedKey)), end);
    return sealed;
  }

  /** Opens a value that was read under a stored key; `undefined` if it does not verify. */
  open(storedKey: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    const nonce = sealed.subarray(NONCE_AT, SEALED_AT);
    const ciphertext = sealed.subarray(SEALED_AT, sealed.length - CHECKSUM_BYTES);
    return this.#xaes.open(nonce, ciphertext, storedKey);
  }
}
