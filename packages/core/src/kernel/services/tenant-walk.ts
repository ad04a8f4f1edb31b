/** Walks through the namespaces of a tenant in slices. */
import { setImmediate } from 'node:timers/promises';
import { namespacesAfter, type StoredNamespace } from '../access/namespace-store.js';
import type { ReadTx, Transactions } from '../../storage/store/store.js';

/** Entries of one slice. */
export const SLICE_ENTRIES = 512;

/** What a walk needs of the request of a heavy call. */
export interface WalkingRequest {
  readonly runtime: { readonly store: Transactions };
  turn(): Promise<void>;
}

/** Returns what a walk outside of a call needs: other work runs between its slices. */
export function walkOver(store: Transactions): WalkingRequest {
  return { runtime: { store }, turn: () => setImmediate() };
}

/** Yields the namespaces of a tenant in the order of digests, a slice in each turn. */
export async function* namespaceSlices(
  request: WalkingRequest,
  tenantId: string,
  from?: Uint8Array,
): AsyncGenerator<StoredNamespace[], void> {
  let after = from;
  for (;;) {
    const slice = await request.runtime.store.read((tx: ReadTx) =>
      namespacesAfter(tx, tenantId, { after, limit: SLICE_ENTRIES }),
    );
    yield slice;
    after = slice.at(-1)?.digest;
    if (slice.length < SLICE_ENTRIES) return;
    await request.turn();
  }
}
