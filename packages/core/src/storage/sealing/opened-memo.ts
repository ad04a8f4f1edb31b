/**
 * Remembers opened values. It memoizes a pure function of the stored bytes: callers read the bytes
 * each time, and a value is found only by the code that seals it.
 */
import { asBuffer, ownBytes } from '../store/bytes.js';
import { CODE_BYTES } from './aes-ocb.js';

/** Most memory that it takes, in bytes. */
const MEMO_BYTES_MAX = 33_554_432;
/** Longer values are opened each time. */
const VALUE_BYTES_MAX = 65_536;
/** Values that are noted before one is kept, so that one pass over many of them keeps none. */
const NOTED_MAX = 262_144;
/** Of how many values one is kept once the memory is full, because it displaces another. */
const KEPT_WHEN_FULL = 8;
/** Estimated overhead of an entry beside its key and its bytes. */
const ENTRY_BYTES = 256;
const CHECKSUM_BYTES = 4;
/** What a sealed value ends with: its code and its checksum. */
const ENDING_BYTES = CODE_BYTES + CHECKSUM_BYTES;

interface Opened {
  readonly ending: Uint8Array;
  readonly value: Uint8Array;
}

/** A bounded memo from a stored key and the code of its sealed value to the opened one. */
export class OpenedMemo {
  readonly #entries = new Map<string, Opened>();
  /** The checksums of values that were opened lately, each in a place that follows from it. */
  readonly #noted = new Uint32Array(NOTED_MAX);
  #bytes = 0;
  #turns = 0;

  /** Returns the opened value of a sealed one with an equal code. Never change it. */
  find(keyText: string, sealed: Uint8Array): Uint8Array | undefined {
    const known = this.#entries.get(keyText);
    return known !== undefined && endsWith(sealed, known.ending) ? known.value : undefined;
  }

  /** Remembers a copy of a value that is opened again soon. */
  remember(keyText: string, sealed: Uint8Array, value: Uint8Array): void {
    if (sealed.length > VALUE_BYTES_MAX || !this.#isNoted(sealed)) return;
    this.#forget(keyText);
    const bytes = sizeOf(keyText, value);
    if (this.#bytes + bytes > MEMO_BYTES_MAX) {
      this.#turns += 1;
      if (this.#turns % KEPT_WHEN_FULL !== 0) return;
    }
    const ending = ownBytes(sealed.subarray(-ENDING_BYTES));
    this.#entries.set(keyText, { ending, value: ownBytes(value) });
    this.#bytes += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes <= MEMO_BYTES_MAX) return;
      this.#forget(oldest);
    }
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#noted.fill(0);
    this.#bytes = 0;
  }

  /** Whether a value was opened lately. Notes it otherwise. */
  #isNoted(sealed: Uint8Array): boolean {
    const checksum = asBuffer(sealed).readUInt32LE(sealed.length - CHECKSUM_BYTES);
    const place = checksum % NOTED_MAX;
    if (this.#noted[place] === checksum) return true;
    this.#noted[place] = checksum;
    return false;
  }

  #forget(keyText: string): void {
    const entry = this.#entries.get(keyText);
    if (entry === undefined) return;
    this.#bytes -= sizeOf(keyText, entry.value);
    this.#entries.delete(keyText);
  }
}

function endsWith(sealed: Uint8Array, ending: Uint8Array): boolean {
  const from = sealed.length - ENDING_BYTES;
  for (let at = 0; at < ENDING_BYTES; at += 1) if (sealed[from + at] !== ending[at]) return false;
  return true;
}

function sizeOf(keyText: string, value: Uint8Array): number {
  return ENTRY_BYTES + keyText.length + ENDING_BYTES + value.length;
}
