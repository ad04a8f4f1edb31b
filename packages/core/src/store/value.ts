/**
 * Encoding of stored values: one byte of layout version, a CRC-32 over key and content, then the
 * content. A value that is damaged, misplaced or of an unknown layout is never decoded.
 * @module
 */
import { crc32 } from 'node:zlib';
import { AgentkeepError } from '../errors/agentkeep-error.js';
import { asBuffer } from './bytes.js';

/** Translates one kind of value to bytes and back; `R` is what reading gives where that differs. */
export interface ValueLayout<W, R = W> {
  /** Stored version of this layout, 1 to 255; another one on disk fails closed. */
  readonly version: number;
  /** The content of a value, behind so many bytes that are left free. */
  encode(value: W, free: number): Buffer;
  /** The bytes are on loan, so a value that keeps them lives no longer than they do. */
  decode(content: Uint8Array): R;
}

/** Bytes before the content. */
const VALUE_HEADER_BYTES = 5;

/** A layout that keeps a value as a JSON array of fields, without their names. */
export function fieldsLayout<T, F extends readonly unknown[]>(
  version: number,
  toFields: (value: T) => F,
  fromFields: (fields: F) => T,
): ValueLayout<T> {
  return {
    version,
    encode: (value, free) => {
      const text = JSON.stringify(toFields(value));
      const bytes = Buffer.allocUnsafe(free + Buffer.byteLength(text, 'utf8'));
      bytes.write(text, free, 'utf8');
      return bytes;
    },
    decode: (content) => fromFields(JSON.parse(textOf(content)) as F),
  };
}

/** Wraps a value for storage under a key. */
export function sealValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, value: W): Uint8Array {
  const sealed = layout.encode(value, VALUE_HEADER_BYTES);
  sealed[0] = layout.version;
  sealed.writeUInt32BE(crc32(sealed.subarray(VALUE_HEADER_BYTES), crc32(key)), 1);
  return sealed;
}

/**
 * Unwraps a stored value.
 * @throws {AgentkeepError} `storage_inconsistency` when version, checksum or content do not verify.
 */
export function openValue<W, R>(layout: ValueLayout<W, R>, key: Uint8Array, sealed: Uint8Array): R {
  const view = asBuffer(sealed);
  const content = view.subarray(VALUE_HEADER_BYTES);
  const verified =
    view.length >= VALUE_HEADER_BYTES &&
    view[0] === layout.version &&
    view.readUInt32BE(1) === crc32(content, crc32(key));
  if (!verified) throw new AgentkeepError('storage_inconsistency');
  try {
    return layout.decode(content);
  } catch (cause) {
    throw new AgentkeepError('storage_inconsistency', { cause });
  }
}

function textOf(bytes: Uint8Array): string {
  return asBuffer(bytes).toString('utf8');
}
