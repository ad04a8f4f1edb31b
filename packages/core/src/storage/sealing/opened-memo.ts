/**
 * Remembers opened values. It memoizes a pure function of the stored bytes: callers read the bytes
 * each time, and only equal bytes return the remembered value.
 */
import { asBuffer, ownBytes } from '../store/bytes.js';

/** Most memory that it takes, in bytes. */
const MEMO_BYTES_MAX = 33_554_432;
/** Longer values are opened each time. */
const VALUE_BYTES_MAX = 65_536;
/** Keys that are noted before a value is kept, so that one pass over many keys keeps none. */
const NOTED_MAX = 4_096;
/** Estimated overhead of an entry beside its key and its bytes. */
const ENTRY_BYTES = 256;

interface Opened {
  readonly sealed: Uint8Array;
  readonly value: Uint8Array;
}

/** A bounded memo from a stored key and its sealed bytes to the opened value. */
export class OpenedMemo {
  readonly #entries = new Map<string, Opened>();
  readonly #noted = new Set<string>();
  #bytes = 0;

  /** Returns the opened value of equal bytes. Never change it. */
  find(keyText: string, sealed: Uint8Array): Uint8Array | undefined {
    const known = this.#entries.get(keyText);
    if (known === undefined || !asBuffer(sealed).equals(known.sealed)) return undefined;
    return known.value;
  }

  /** Remembers a value that is opened again soon. Copies the sealed bytes. */
  remember(keyText: string, sealed: Uint8Array, value: Uint8Array): void {
    if (sealed.length > VALUE_BYTES_MAX) return;
    if (!this.#noted.has(keyText) && !this.#entries.has(keyText)) {
      if (this.#noted.size >= NOTED_MAX) this.#noted.clear();
      this.#noted.add(keyText);
      return;
    }
    this.#forget(keyText);
    const entry = { sealed: ownBytes(sealed), value };
    this.#entries.set(keyText, entry);
    this.#bytes += sizeOf(keyText, entry);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MEMO_BYTES_MAX) return;
      this.#forget(oldest);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }

  #forget(keyText: string): void {
    const entry = this.#entries.get(keyText);
    if (entry === undefined) return;
    this.#bytes -= sizeOf(keyText, entry);
    this.#entries.delete(keyText);
  }
}

function sizeOf(keyText: string, { sealed }: Opened): number {
  return ENTRY_BYTES + keyText.length + 2 * sealed.length;
}
