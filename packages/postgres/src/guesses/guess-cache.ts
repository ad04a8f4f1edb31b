/**
 * Caches the last known value of each key. Bodies first run on these guesses. Other servers write
 * too, so the database validates every guess before its result is used.
 */
import { ownBytes } from '@agentkeep/core/store';

/** A value with the revision that identifies it. */
export interface Found {
  /** Identifies the write; {@link NO_REVISION} if there is no value. */
  readonly revision: bigint;
  readonly value: Uint8Array | undefined;
}

/** The revision of an absent key. */
export const NO_REVISION = 0n;

/** The state of an absent key. */
export const ABSENT: Found = { revision: NO_REVISION, value: undefined };

/** Estimated memory of an entry besides its key and value, in bytes. */
const ENTRY_BYTES = 200;

/**
 * A cache that is bounded in bytes and forgets what was not used for long. It has two halves: when
 * the newer one is full, it takes the place of the older one, which is dropped. So a look-up only
 * has to move an entry if it is in the older half.
 */
export class GuessCache {
  readonly #bytesMax: number;
  /** By key text. */
  #newer = new Map<string, Found>();
  /** May contain an outdated value of a key that is in {@link GuessCache.#newer} too. */
  #older = new Map<string, Found>();
  #newerBytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the last known value of a key. */
  get(text: string): Found | undefined {
    const newer = this.#newer.get(text);
    if (newer !== undefined) return newer;
    const older = this.#older.get(text);
    if (older !== undefined) this.#add(text, older);
    return older;
  }

  /** Caches a value, whose bytes must not change afterwards. Large values are not kept. */
  set(text: string, found: Found): void {
    const before = this.#newer.get(text);
    if (before === found) return;
    if (before !== undefined) this.#newerBytes -= sizeOf(text, before);
    if (sizeOf(text, found) <= this.#bytesMax / 16) this.#add(text, kept(found));
    else {
      this.#newer.delete(text);
      this.#older.delete(text);
    }
  }

  #add(text: string, found: Found): void {
    this.#newer.set(text, found);
    this.#newerBytes += sizeOf(text, found);
    if (this.#newerBytes <= this.#bytesMax / 2) return;
    this.#older = this.#newer;
    this.#newer = new Map();
    this.#newerBytes = 0;
  }
}

/** Copies the value, because bytes from the network are a slice of a whole answer. */
function kept({ revision, value }: Found): Found {
  return { revision, value: value === undefined ? undefined : ownBytes(value) };
}

function sizeOf(text: string, { value }: Found): number {
  return ENTRY_BYTES + text.length + (value?.length ?? 0);
}
