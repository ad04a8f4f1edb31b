/** Walks through the credentials of a tenant in slices. */
import { SLICE_ENTRIES, type WalkingRequest } from '../../../kernel/services/sweeper.js';
import { listCredentials, type StoredCredential } from './credential-store.js';

/** Yields the credentials of a tenant in ascending order of id, a slice in each turn. */
export async function* credentialSlices(
  request: WalkingRequest,
  tenantId: string,
  from?: string,
): AsyncGenerator<StoredCredential[], void> {
  let after = from;
  for (;;) {
    const slice = await request.runtime.store.read((tx) =>
      listCredentials(tx, tenantId, { after, limit: SLICE_ENTRIES }),
    );
    yield slice;
    after = slice.at(-1)?.id;
    if (slice.length < SLICE_ENTRIES) return;
    await request.turn();
  }
}
