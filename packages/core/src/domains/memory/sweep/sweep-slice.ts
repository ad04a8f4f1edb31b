/** One step of a walk through the memory of a tenant, with its findings and its end. */
import { copyBytes } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';

/** Entries that one step visits: few enough to delay other work by milliseconds only. */
export const SLICE_ENTRIES = 128;
/** Bytes after which a step ends, whatever its number of entries. */
export const SLICE_BYTES = 262_144;
/** Entries of one kind that one transaction removes. */
export const REMOVED_AT_ONCE = 24;

/** What a step found. */
export interface Slice<T> {
  readonly found: readonly T[];
  /** Where the next step starts; `undefined` at the end. */
  readonly next: Uint8Array | undefined;
}

/** An entry that a step visits. */
interface Visited {
  readonly key: Uint8Array;
  readonly bytes: number;
}

/** Visits entries up to the bounds of a step. Keys of `entries` may be on loan. */
export function visitSlice<E extends Visited, T>(
  entries: Iterable<E>,
  pick: (entry: E) => T | undefined,
): Slice<T> {
  const found: T[] = [];
  let visited = 0;
  let bytes = 0;
  for (const entry of entries) {
    visited += 1;
    bytes += entry.bytes;
    const next = copyBytes(entry.key);
    const picked = pick(entry);
    if (picked !== undefined) found.push(picked);
    if (visited >= SLICE_ENTRIES || bytes >= SLICE_BYTES) return { found, next: afterKey(next) };
  }
  return { found, next: undefined };
}
