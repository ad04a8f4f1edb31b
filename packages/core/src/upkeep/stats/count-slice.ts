/** Counts the entries of a store by their keys, a bounded number at a time. */
import { afterKey, afterPrefix, tenantEnd } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { type CountingRules, type CountName, isEnded } from '../../kernel/counts/counts.js';
import { addToStored } from '../stored/tally-store.js';

/** Entries of a slice: few enough to delay other work by a few milliseconds only. */
export const SLICE_ENTRIES = 2_048;
/** Number of entries that can be visited in the time of one jump. */
const JUMP_ENTRIES = 16;

/** Every key begins with a tenant, which is empty or UTF-8. */
const FIRST_KEY = Uint8Array.of(0x00);
const BEHIND_LAST_KEY = Uint8Array.of(0xff);

/** The counts between two keys. */
export interface CountedSlice {
  readonly numbers: ReadonlyMap<CountName, number>;
  /** The key before which everything is counted; null after the last entry. */
  readonly end: Uint8Array | null;
}

/** Counts about `limit` entries from a key on. Skips subspaces that aren't counted. */
export function countSlice(
  tx: ReadTx,
  counting: CountingRules,
  from: Uint8Array | undefined,
  entries: number,
): CountedSlice {
  const numbers = new Map<CountName, number>();
  let position = from ?? FIRST_KEY;
  let left = entries;
  while (left > 0) {
    const run = countRun(tx, counting, { from: position, limit: left }, numbers);
    if (run.end === null) return { numbers, end: null };
    position = run.end;
    left -= run.visited + JUMP_ENTRIES;
  }
  return { numbers, end: position };
}

/**
 * Adds a slice to the stored numbers, without expired sessions. Returns the new end of the count.
 */
export function countIntoStored(
  tx: WriteTx,
  counting: CountingRules,
  from: Uint8Array,
  { entries, nowMs }: { readonly entries: number; readonly nowMs: number },
): Uint8Array | null {
  const { numbers, end } = countSlice(tx, counting, from, entries);
  for (const [name, number] of numbers) {
    if (!isEnded(name, nowMs)) addToStored(tx, name, number);
  }
  return end;
}

/** Counts until an entry of an uncounted subspace, or until the limit. */
function countRun(
  tx: ReadTx,
  counting: CountingRules,
  { from, limit }: { readonly from: Uint8Array; readonly limit: number },
  numbers: Map<CountName, number>,
): { readonly visited: number; readonly end: Uint8Array | null } {
  let visited = 0;
  for (const entry of tx.range({ from, to: BEHIND_LAST_KEY, limit })) {
    // The number of the subspace follows.
    const at = tenantEnd(entry.key) + 1;
    const subspace = entry.key[at] ?? 0;
    const rule = counting.countingRule(subspace);
    if (rule === undefined) {
      const next = counting.nextCounted(subspace);
      return { visited, end: jumpTo(entry.key.subarray(0, at), next) };
    }
    visited += 1;
    // Take the key first: the rule may invalidate the borrowed bytes.
    const last = visited === limit ? afterKey(entry.key) : undefined;
    const counted = rule(entry);
    if (counted !== undefined) {
      // Owners take the names from `kernel/counts/`, which the store doesn't know.
      const name = counted.name as CountName;
      numbers.set(name, (numbers.get(name) ?? 0) + counted.by);
    }
    if (last !== undefined) return { visited, end: last };
  }
  return { visited, end: null };
}

function jumpTo(tenant: Uint8Array, next: number | undefined): Uint8Array {
  return next === undefined ? afterPrefix(tenant) : Buffer.concat([tenant, Uint8Array.of(next)]);
}
