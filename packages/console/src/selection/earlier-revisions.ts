/** Finds the earlier revisions of records that still have content. */
import type { MemoryRecord } from '@agentkeep/client';
import type { ScopedMemory } from '../scopes/scoped-memory.js';
import { isRefusal } from '../session/refusals.js';
import type { EarlierRevisions } from './batch-plan.js';

/** Histories that are read at a time. */
const AT_ONCE = 6;
const PAGE = 100;

/** Returns them, in the order of the records. `most` ends the look: more is too many anyway. */
export async function findEarlierRevisions(
  memory: ScopedMemory,
  records: readonly MemoryRecord[],
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<readonly EarlierRevisions[]> {
  const changed = records.filter(({ revision }) => revision > 1);
  const found: EarlierRevisions[] = [];
  let count = 0;
  for (let at = 0; at < changed.length && count <= most; at += AT_ONCE) {
    const group = changed.slice(at, at + AT_ONCE);
    const each = await Promise.all(
      group.map(async (record) => ({
        record,
        revisions: await revisionsOf(memory, record.record_id, { most, signal }),
      })),
    );
    found.push(...each);
    count += each.reduce((total, { revisions }) => total + revisions.length, 0);
  }
  return found;
}

async function revisionsOf(
  memory: ScopedMemory,
  id: string,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): Promise<number[]> {
  const revisions: number[] = [];
  try {
    for await (const each of memory.history(id, { limit: PAGE, signal })) {
      const { superseded_at_millis: superseded, payload, redacted, revision } = each;
      if (superseded === null || payload === null || redacted !== null) continue;
      revisions.push(revision);
      if (revisions.length > most) break;
    }
  } catch (error) {
    // It was deleted meanwhile, and all of its content with it.
    if (!isRefusal(error, 'record_not_found')) throw error;
  }
  return revisions;
}
