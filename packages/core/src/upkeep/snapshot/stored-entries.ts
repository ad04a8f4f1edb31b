/** Reads the entries of a store in slices, which other work may run between. */
import { setImmediate } from 'node:timers/promises';
import { copyBytes } from '../../storage/store/bytes.js';
import { afterKey } from '../../storage/store/key.js';
import type { Entry, Store } from '../../storage/store/store.js';

/** Entries that one read looks at. */
const LOOKED_AT_ONCE = 512;

/** Yields the entries between two keys in slices. It is not one state while writes go on. */
export async function* entriesBetween(
  store: Store,
  first: Uint8Array,
  to: Uint8Array,
): AsyncGenerator<Entry[], void> {
  let from = first;
  for (;;) {
    const start = from;
    const found = await store.read((tx) =>
      Array.from(tx.range({ from: start, to, limit: LOOKED_AT_ONCE }), ({ key, value }) => ({
        key: copyBytes(key),
        value: copyBytes(value),
      })),
    );
    yield found;
    await setImmediate();
    const last = found.at(-1);
    if (last === undefined || found.length < LOOKED_AT_ONCE) return;
    from = afterKey(last.key);
  }
}
