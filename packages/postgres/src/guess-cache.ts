/**
 * What was last seen of each key: what a body is first run against. Nothing here is ever trusted,
 * because other servers write too; the store is asked whether a guess still holds.
 * @module
 */
import { ownBytes } from '@agentkeep/core/store';

/** A value with the revision that identifies it. */
export interface Found {
  /** Which write it is of; {@link NO_REVISION} where there is no value. */
  readonly revision: bigint;
  readonly value: Uint8Array | undefined;
}

/** Stands for the revision of a key that is not there. */
export const NO_REVISION = 0n;

/** A key without a value. */
export const ABSENT: Found = { revision: NO_REVISION, value: undefined };

/** What an entry takes up beside its key and value, in bytes; an estimate. */
const ENTRY_BYTES = 200;

/** Remembers what was used last, up to a number of bytes. */
export class GuessCache {
  readonly #bytesMax: number;
  /** By key text, least recently used first. */
  readonly #found = new Map<string, Found>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** What was last seen of a key. */
  get(text: string): Found | undefined {
    const found = this.#found.get(text);
    if (found === undefined) return undefined;
    this.#found.delete(text);
    this.#found.set(text, found);
    return found;
  }

  /** Remembers what was seen; its bytes are never changed from then on. */
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

/** In memory of its own, because what came from the network is a piece of a whole answer. */
function kept({ revision, value }: Found): Found {
  return { revision, value: value === undefined ? undefined : ownBytes(value) };
}

function sizeOf(text: string, { value }: Found): number {
  return ENTRY_BYTES + text.length + (value?.length ?? 0);
}
