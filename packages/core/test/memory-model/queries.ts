/**
 * Sends queries through the embedded client.
 */
import type { MemoryClient, MemoryQuery, MemoryRecord, ScopeInput } from '../../src/index.js';
import type { Filter } from '@agentkeep/testkit/memory-model';

/** A filter as the client takes it. */
export function queryOf(filter: Filter): MemoryQuery {
  const { limit, scan_limit, after, text_contains, episode_type, tag, tags } = filter;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(scan_limit === undefined ? {} : { scanLimit: scan_limit }),
    ...(after === undefined ? {} : { after }),
    ...(text_contains === undefined ? {} : { textContains: text_contains }),
    ...(episode_type === undefined ? {} : { episodeType: episode_type }),
    ...(tag === undefined ? {} : { tag }),
    ...(tags === undefined ? {} : { tags }),
  };
}

/** Every record that a query gives, through the client's own paging. */
export async function everyRecord(
  memory: MemoryClient,
  scope: ScopeInput,
  filter: Filter,
): Promise<MemoryRecord[]> {
  const records: MemoryRecord[] = [];
  for await (const record of memory.query(scope, queryOf(filter))) records.push(record);
  return records;
}
