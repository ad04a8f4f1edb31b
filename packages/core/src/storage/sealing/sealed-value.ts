/**
 * Sealed values: 00, the format, the id of the data key, the sealed content, and a CRC-32 over the
 * stored key and all that. The content is a stored value.
 */
import { crc32 } from 'node:zlib';
import { asBuffer } from '../store/bytes.js';
import { crc32OfKey } from '../store/value.js';
import { SEALED_BYTES_MIN, SealKey, sealedSize } from './seal-key.js';

/** Bytes of the id of a data key. */
export const KEY_ID_BYTES = 16;

const FORMAT = 1;
const ID_AT = 2;
const SEALED_AT = ID_AT + KEY_ID_BYTES;
const CHECKSUM_BYTES = 4;
const LEAST_BYTES = SEALED_AT + SEALED_BYTES_MIN + CHECKSUM_BYTES;

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
  return asBuffer(sealed).toString('latin1', ID_AT, SEALED_AT);
}

/** Seals and opens the values of one owner. */
export class DataKey {
  readonly #key: SealKey;
  readonly #id: Uint8Array;

  constructor(id: Uint8Array, secret: Uint8Array) {
    this.#key = SealKey.derived(secret, 'seal');
    this.#id = id;
  }

  /** Seals a stored value. */
  seal(storedKey: Uint8Array, content: Uint8Array): Uint8Array {
    const end = SEALED_AT + sealedSize(content.length);
    const sealed = Buffer.allocUnsafe(end + CHECKSUM_BYTES);
    sealed[0] = 0;
    sealed[1] = FORMAT;
    sealed.set(this.#id, ID_AT);
    this.#key.sealInto(sealed, SEALED_AT, content, storedKey);
    sealed.writeUInt32LE(crc32(sealed.subarray(0, end), crc32OfKey(storedKey)), end);
    return sealed;
  }

  /** Whether it sealed a value. */
  isOf(sealed: Uint8Array): boolean {
    for (let at = 0; at < KEY_ID_BYTES; at += 1) {
      if (sealed[ID_AT + at] !== this.#id[at]) return false;
    }
    return true;
  }

  /** Opens a value that was read under a stored key; `undefined` if it does not verify. */
  open(storedKey: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    return this.#key.open(sealed.subarray(SEALED_AT, sealed.length - CHECKSUM_BYTES), storedKey);
  }
}
