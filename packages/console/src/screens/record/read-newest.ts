/** Reads a record as it is now, or as it was when it ended. */
import type { MemoryRecord } from '@agentkeep/client';
import type { ScopedMemory } from '../../scopes/scoped-memory.js';
import { isRefusal } from '../../session/refusals.js';

/**
 * Returns a record in its newest revision, also if it is no longer valid. One that is deleted or
 * gone is refused with `record_not_found`, as by a read.
 */
export async function readNewest(
  memory: ScopedMemory,
  id: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<MemoryRecord> {
  try {
    return await memory.read(id, options);
  } catch (error) {
    if (!isRefusal(error, 'record_not_found')) throw error;
    const [newest] = (await memory.historyPage(id, { limit: 1, ...options })).items;
    if (newest === undefined || newest.payload === null) throw error;
    return memory.read(id, { revision: newest.revision, ...options });
  }
}
