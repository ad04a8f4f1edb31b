/**
 * Encoding of stored values: one byte of layout version, the content, a CRC-32 over key, version
 * and content. A value that is damaged, misplaced or of an unknown layout is never decoded.
 * @module
 */
import { crc32 } from 'node:zlib';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { asBuffer } from './bytes.js';

/** Where the content lies among the bytes of a value. */
export interface ContentSpan {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Translates one kind of value to bytes and back; `R` is what reading gives where that differs. */
export interface ValueLayout<W, R = W> {
  /** Stored version of this layout, 1 to 255; another one on disk fails closed. */
  readonly version: number;
  /** The content of a value, with so many bytes left free before and behind it. */
  encode(value: W, before: number, behind: number): Buffer;
  /** The bytes are on loan, so a value that keeps them lives no longer than they do. */
  decode(content: ContentSpan): R;
}

const VERSION_BYTES = 1;
const CHECKSUM_BYTES = 4;
/** The CRC-32 of anything that ends with its own CRC-32, lowest byte first. */
const RESIDUE = 0x2144df1c;

/** A layout that keeps a value as a JSON array of fields, without their names. */
export function fieldsLayout<T, F extends readonly unknown[]>(
  version: number,
  toFields: (value: T) => F,
  fromFields: (fields: F) => T,
): ValueLayout<T> {
  return {
    version,
    encode: (value, before, behind) => {
      const text = JSON.stringify(toFields(value));
      const bytes = Buffer.allocUnsafe(before + Buffer.byteLength(text, 'utf8') + behind);
      bytes.write(text, before, 'utf8');
      return bytes;
    },
    decode: ({ bytes, start, end }) =>
      fromFields(JSON.parse(bytes.toString('utf8', start, end)) as F),
  };
}

/** A layout that keeps a document as it is shown; one that does not verify is never given out. */
export function documentLayout<T>(
  version: number,
  verifies: (document: T) => boolean,
): ValueLayout<T> {
  return fieldsLayout<T, [T]>(
    version,
    (document) => [document],
    ([document]) => {
      if (!verifies(document)) throw new AgentkeepError('storage_inconsistency');
      return document;
    },
  );
}

/** Wraps a value for storage under a key. */
export function sealValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, value: W): Uint8Array {
  const sealed = layout.encode(value, VERSION_BYTES, CHECKSUM_BYTES);
  const end = sealed.length - CHECKSUM_BYTES;
  sealed[0] = layout.version;
  sealed.writeUInt32LE(crc32(sealed.subarray(0, end), crc32(key)), end);
  return sealed;
}

/** Where the content of a stored value lies, unverified: for a look that decides nothing. */
export function contentOf(sealed: Uint8Array): ContentSpan {
  const bytes = asBuffer(sealed);
  return { bytes, start: VERSION_BYTES, end: bytes.length - CHECKSUM_BYTES };
}

/**
 * Unwraps a stored value.
 * @throws {AgentkeepError} `storage_inconsistency` when version, checksum or content do not verify.
 */
export function openValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, sealed: Uint8Array): R {
  const bytes = asBuffer(sealed);
  const end = bytes.length - CHECKSUM_BYTES;
  const isVerified =
    end >= VERSION_BYTES && bytes[0] === layout.version && crc32(bytes, crc32(key)) === RESIDUE;
  if (!isVerified) throw new AgentkeepError('storage_inconsistency');
  try {
    return layout.decode({ bytes, start: VERSION_BYTES, end });
  } catch (cause) {
    throw new AgentkeepError('storage_inconsistency', { cause });
  }
}

/** What a read of stored values gives; `undefined` when they do not verify. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'storage_inconsistency') return undefined;
    throw error;
  }
}
