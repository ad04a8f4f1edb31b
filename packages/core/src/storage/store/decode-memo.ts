/**
 * Remembers what stored bytes decoded to. It is a memo of a pure function and never an answer of
 * its own: the bytes are read from the store each time, and only equal bytes give the remembered
 * value.
 * @module
 */
import { asBuffer, keyText, ownBytes } from './bytes.js';

/** Memory that one memo takes at most, in bytes. */
export const MEMO_BYTES_MAX = 16_777_216;

/** What an entry takes beside its key, its bytes and what they decoded to; an estimate. */
const ENTRY_BYTES = 512;

interface Remembered<V> {
  readonly sealed: Uint8Array;
  readonly value: V;
}

/** A bounded memo from key and stored bytes to the decoded value. */
export class DecodeMemo<V> {
  readonly #entries = new Map<string, Remembered<V>>();
  #bytes = 0;

  /** The remembered value if the stored bytes are the same as then; else decodes and remembers. */
  decode(key: Uint8Array, sealed: Uint8Array, decode: () => V): V {
    const name = keyText(key);
    const known = this.#entries.get(name);
    if (known !== undefined && asBuffer(sealed).equals(known.sealed)) return known.value;
    // Copied before decoding, because the bytes are on loan.
    const copy = ownBytes(sealed);
    const value = decode();
    this.#remember(name, { sealed: copy, value });
    return value;
  }

  #remember(name: string, entry: Remembered<V>): void {
    this.#forget(name);
    this.#entries.set(name, entry);
    this.#bytes += sizeOf(name, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MEMO_BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#bytes -= sizeOf(name, entry);
    this.#entries.delete(name);
  }
}

/** What was decoded takes about what the bytes take. */
function sizeOf(name: string, { sealed }: Remembered<unknown>): number {
  return ENTRY_BYTES + name.length + 2 * sealed.length;
}
