/** The records that a record superseded, and those that they superseded in turn. */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import type { MemoryRecord } from '../../domains/memory/documents/schema.js';
import type { CallOptions } from '../call.js';

/** Most records of a chain, so that one call reads no more. */
const CHAIN_MAX = 64;

interface Reads {
  read(
    recordId: string,
    options: CallOptions & { readonly revision: number },
  ): Promise<MemoryRecord>;
}

/**
 * Returns what a record superseded, directly or through others, the latest first: each as it ended.
 * Those that are not kept are left out; at most 64.
 */
export async function supersededChain(
  memory: Reads,
  record: Pick<MemoryRecord, 'payload'>,
  { signal }: CallOptions = {},
): Promise<MemoryRecord[]> {
  const chain: MemoryRecord[] = [];
  const known = new Set<string>();
  const waiting = [...(record.payload.supersedes ?? [])];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (known.size === CHAIN_MAX) break;
    if (known.has(next.record_id)) continue;
    known.add(next.record_id);
    // The revision that ended is the next one after the stated one.
    const ended = await readIfKept(memory, next.record_id, { revision: next.revision + 1, signal });
    if (ended === undefined) continue;
    chain.push(ended);
    waiting.push(...(ended.payload.supersedes ?? []));
  }
  return chain;
}

async function readIfKept(
  memory: Reads,
  recordId: string,
  options: CallOptions & { readonly revision: number },
): Promise<MemoryRecord | undefined> {
  try {
    return await memory.read(recordId, options);
  } catch (error) {
    if (error instanceof AgentkeepError && error.code === 'record_not_found') return undefined;
    throw error;
  }
}
