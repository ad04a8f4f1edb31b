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

/** A least-recently-used cache, bounded in bytes. */
export class GuessCache {
  readonly #bytesMax: number;
  /** By key text, least recently used first. */
  readonly #found = new Map<string, Found>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Returns the last known value of a key. */
  get(text: string): Found | undefined {
    const found = this.#found.get(text);
    if (found === undefined) return undefined;
    this.#found.delete(text);
    this.#found.set(text, found);
    return found;
  }

  /** Caches a value, whose bytes must not change afterwards. Large values are not kept. */
  set(text: string, found: Found): void {
    const before = this.#found.get(text);
    if (before !== undefined) {
      this.#found.delete(text);
      this.#bytes -= sizeOf(text, before);
    }
    const size = sizeOf(text, found);
    if (size > this.#bytesMax / 16) return;
    this.#found.set(text, kept(found));
    this.#bytes += size;
    this.#shrink();
  }

  #shrink(): void {
    for (const [text, found] of this.#found) {
      if (this.#bytes <= this.#bytesMax) return;
      this.#found.delete(text);
      this.#bytes -= sizeOf(text, found);
    }
  }
}

/** Copies the value, because bytes from the network are a slice of a whole answer. */
function kept({ revision, value }: Found): Found {
  return { revision, value: value === undefined ? undefined : ownBytes(value) };
}

function sizeOf(text: string, { value }: Found): number {
  return ENTRY_BYTES + text.length + (value?.length ?? 0);
}
