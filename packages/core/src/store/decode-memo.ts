/**
 * Remembers what stored bytes decoded to. It is a memo of a pure function and never an answer of
 * its own: the bytes are read from the store each time, and only equal bytes give the remembered
 * value.
 * @module
 */

/** Bytes of stored values that one memo holds at most. */
const MEMO_BYTES_MAX = 16_777_216;

/** A bounded memo from key and stored bytes to the decoded value. */
export class DecodeMemo<V> {
  readonly #entries = new Map<string, { sealed: Buffer; value: V }>();
  #bytes = 0;

  /** The remembered value if the stored bytes are the same as then; else decodes and remembers. */
  decode(key: Uint8Array, sealed: Uint8Array, decode: () => V): V {
    const name = Buffer.from(key.buffer, key.byteOffset, key.byteLength).toString('latin1');
    const known = this.#entries.get(name);
    if (known?.sealed.equals(sealed)) return known.value;
    // Copied before decoding, because the bytes are on loan.
    const copy = Buffer.from(sealed);
    const value = decode();
    this.#remember(name, copy, value);
    return value;
  }

  #remember(name: string, sealed: Buffer, value: V): void {
    this.#forget(name);
    this.#entries.set(name, { sealed, value });
    this.#bytes += sealed.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MEMO_BYTES_MAX) break;
      this.#forget(oldest);
    }
  }

  #forget(name: string): void {
    this.#bytes -= this.#entries.get(name)?.sealed.length ?? 0;
    this.#entries.delete(name);
  }
}
