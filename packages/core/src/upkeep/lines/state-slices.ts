/** Reads parts of families from a held state, in slices of about the same size. */
import { afterKey, afterPrefix, encodeKey, type KeyShape } from '../../storage/store/key.js';
import type { Entry, HeldState } from '../../storage/store/store.js';

/** About how many bytes of entries are read at once. */
const SLICE_BYTES = 524_288;
const SLICE_ENTRIES_MAX = 256;
const SLICE_ENTRIES_FIRST = 8;

/** The entries of a family of which the keys begin with some parts. */
export interface FamilyPart {
  readonly tenantId: string;
  readonly family: { readonly number: number; readonly shape: KeyShape };
  readonly prefix?: readonly (string | Uint8Array)[];
}

/** Yields the entries of a part of a family in slices that aren't empty. */
export async function* slicesOf(
  state: HeldState,
  { tenantId, family, prefix = [] }: FamilyPart,
): AsyncGenerator<Entry[], void> {
  const { number, shape } = family;
  const start = encodeKey(tenantId, number, shape, prefix);
  const to = afterPrefix(start);
  let from: Uint8Array = start;
  let limit = SLICE_ENTRIES_FIRST;
  for (;;) {
    const entries = await state.entries({ from, to, limit });
    if (entries.length > 0) yield entries;
    const last = entries.at(-1);
    if (last === undefined || entries.length < limit) return;
    from = afterKey(last.key);
    const size = entries.reduce((sum, { value }) => sum + value.length, 0) / entries.length;
    limit = Math.min(SLICE_ENTRIES_MAX, 2 * limit, Math.max(1, Math.floor(SLICE_BYTES / size)));
  }
}

/** Returns the entries of a family between two keys that begin with some parts, both included. */
export function entriesBetween(
  state: HeldState,
  { tenantId, family }: FamilyPart,
  first: readonly (string | Uint8Array)[],
  last: readonly (string | Uint8Array)[],
): Promise<readonly Entry[]> {
  const { number, shape } = family;
  const from = encodeKey(tenantId, number, shape, first);
  return state.entries({ from, to: afterPrefix(encodeKey(tenantId, number, shape, last)) });
}
