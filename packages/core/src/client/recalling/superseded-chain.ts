/** The records that a record superseded, and those that they superseded in turn. */
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import type { MemoryRevision } from '../../domains/memory/documents/revision-schema.js';
import type { MemoryRecord } from '../../domains/memory/documents/schema.js';
import type { CallOptions } from '../call.js';

/** Most records of a chain, so that one call reads no more. */
const CHAIN_MAX = 64;

interface Reads {
  read(
    recordId: string,
    options: CallOptions & { readonly revision: number },
  ): Promise<MemoryRecord>;
  history(recordId: string, options: CallOptions): AsyncIterable<MemoryRevision>;
}

/** A revision that a record stated as superseded. */
interface Stated {
  readonly recordId: string;
  readonly revision: number;
  /** The record that stated it. */
  readonly by: string;
}

/**
 * Returns what a record superseded, directly or through others, the latest first: each as it ended.
 * Those that are not kept are left out; at most 64.
 */
export async function supersededChain(
  memory: Reads,
  record: Pick<MemoryRecord, 'record_id' | 'payload'>,
  { signal }: CallOptions = {},
): Promise<MemoryRecord[]> {
  const chain: MemoryRecord[] = [];
  const known = new Set<string>();
  const waiting = statedBy(record);
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (known.size === CHAIN_MAX) break;
    if (known.has(next.recordId)) continue;
    known.add(next.recordId);
    const ended = await endedBy(memory, next, { signal });
    if (ended === undefined) continue;
    chain.push(ended);
    waiting.push(...statedBy(ended));
  }
  return chain;
}

function statedBy({ record_id: by, payload }: Pick<MemoryRecord, 'record_id' | 'payload'>) {
  return (payload.supersedes ?? []).map(({ record_id: recordId, revision }): Stated => ({
    recordId,
    revision,
    by,
  }));
}

/** Returns a record as its successor ended it. */
async function endedBy(
  memory: Reads,
  { recordId, revision, by }: Stated,
  { signal }: CallOptions,
): Promise<MemoryRecord | undefined> {
  // The revision that ended is the next one after the stated one, unless a branch was merged.
  const next = await readIfKept(memory, recordId, { revision: revision + 1, signal });
  if (next?.payload.superseded_by === by) return next;
  try {
    for await (const { revision: other, payload } of memory.history(recordId, { signal })) {
      if (payload?.superseded_by !== by) continue;
      return await readIfKept(memory, recordId, { revision: other, signal });
    }
  } catch (error) {
    if (!hasCode(error, 'record_not_found')) throw error;
  }
  return undefined;
}

async function readIfKept(
  memory: Reads,
  recordId: string,
  options: CallOptions & { readonly revision: number },
): Promise<MemoryRecord | undefined> {
  try {
    return await memory.read(recordId, options);
  } catch (error) {
    if (hasCode(error, 'record_not_found')) return undefined;
    throw error;
  }
}
