/**
 * Remembers opened values. It memoizes a pure function of the stored bytes: callers read the bytes
 * each time, and a value is found only by its stored key and the tag that seals it. Without it, a
 * read by id in process, below the row `encrypted read`, takes 47 % more processor time.
 */
import { BoundedMap } from '../../contract/bounded-map.js';
import { ownBytes } from '../store/bytes.js';
import { TAG_BYTES } from './seal-key.js';

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
/** What a sealed value ends with: its authentication tag and its checksum. */
const ENDING_BYTES = TAG_BYTES + CHECKSUM_BYTES;

interface Opened {
  readonly storedKey: Uint8Array;
  readonly ending: Uint8Array;
  readonly value: Uint8Array;
}

/** A bounded memo from a stored key and the tag of its sealed value to the opened one. */
export class OpenedMemo {
  /** By checksums, which are quicker to find than keys. Of two equal ones the later one stays. */
  readonly #entries = new BoundedMap<number, Opened>({ max: MEMO_BYTES_MAX, weigh: sizeOf });
  /** The checksums of values that were opened lately, each in a place that follows from it. */
  readonly #noted = new Uint32Array(NOTED_MAX);
  #turns = 0;

  /** Returns the opened value of a sealed one with an equal key and tag. Never change it. */
  find(storedKey: Uint8Array, sealed: Uint8Array): Uint8Array | undefined {
    const known = this.#entries.get(checksumOf(sealed));
    if (known === undefined || storedKey.length !== known.storedKey.length) return undefined;
    return endsWith(sealed, known.ending) && endsWith(storedKey, known.storedKey)
      ? known.value
      : undefined;
  }

  /** Remembers a copy of a value that is opened again soon. */
  remember(storedKey: Uint8Array, sealed: Uint8Array, value: Uint8Array): void {
    const checksum = checksumOf(sealed);
    if (sealed.length > VALUE_BYTES_MAX || !this.#isNoted(checksum)) return;
    this.#entries.delete(checksum);
    if (this.#entries.weight + sizeOf({ storedKey, value }) > MEMO_BYTES_MAX) {
      this.#turns += 1;
      if (this.#turns % KEPT_WHEN_FULL !== 0) return;
    }
    const ending = ownBytes(sealed.subarray(-ENDING_BYTES));
    this.#entries.set(checksum, { storedKey: ownBytes(storedKey), ending, value: ownBytes(value) });
  }

  /** Forgets everything. */
  clear(): void {
    this.#entries.clear();
    this.#noted.fill(0);
  }

  /** Whether a value was opened lately. Notes it otherwise. */
  #isNoted(checksum: number): boolean {
    const place = checksum % NOTED_MAX;
    if (this.#noted[place] === checksum) return true;
    this.#noted[place] = checksum;
    return false;
  }
}

/** Returns 30 bits of the checksum of a sealed value: a number that needs no memory of its own. */
function checksumOf(sealed: Uint8Array): number {
  const at = sealed.length - CHECKSUM_BYTES;
  const low = (sealed[at] ?? 0) | ((sealed[at + 1] ?? 0) << 8) | ((sealed[at + 2] ?? 0) << 16);
  return low | (((sealed[at + 3] ?? 0) & 0x3f) << 24);
}

function endsWith(bytes: Uint8Array, ending: Uint8Array): boolean {
  const from = bytes.length - ending.length;
  for (let at = 0; at < ending.length; at += 1) if (bytes[from + at] !== ending[at]) return false;
  return true;
}

function sizeOf({ storedKey, value }: Pick<Opened, 'storedKey' | 'value'>): number {
  return ENTRY_BYTES + storedKey.length + ENDING_BYTES + value.length;
}
