/** `queryMemory`: pages through the records of a scope that match a filter, in the order of ids. */
import { setImmediate } from 'node:timers/promises';
import { QUERY_SLICE_BYTES, QUERY_SLICE_ENTRIES, QUERY_SLICE_RECORDS } from '../contract/limits.js';
import { defineTenantOperation } from '../runtime/define-operation.js';
import type { Runtime } from '../runtime/runtime.js';
import type { ReadTx } from '../storage/store/store.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import { recordOfEntry, scanEntries } from './memory-store.js';
import { type Namespace, namespaceOf } from '../access/namespace.js';
import { showRecord } from './record-layout.js';
import {
  defaultFilter,
  type MemoryRecord,
  type QueryFilter,
  type QueryPage,
  QueryRequest,
  QueryResponse,
} from './schema.js';
import { type SearchFilter, searchFilterOf } from './search-entry.js';

/** Not a snapshot: writes between two slices or pages may be seen or missed. */
export const queryMemory = defineTenantOperation({
  name: 'queryMemory',
  summary: 'Find records of a scope by text, type and tags.',
  tag: 'Memory',
  effect: 'read',
  input: { document: QueryRequest },
  output: QueryResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  checks: ['document', 'version', 'rules scope', 'authority', 'rules'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden'],
  handler: async ({ runtime, credential, input, nowMs, signal }) => {
    const { scope, filter } = input.document;
    const namespace = namespaceOf(credential, scope);
    const query = { namespace, filter: filter ?? defaultFilter, nowMs };
    return {
      contract_version: CONTRACT_VERSION,
      scope,
      page: await queryPage(runtime, query, signal),
    };
  },
});

interface Query {
  readonly namespace: Namespace;
  readonly filter: QueryFilter;
  readonly nowMs: number;
}

/** The remaining work on a page. */
interface Remaining {
  readonly after: string | undefined;
  readonly records: number;
  readonly entries: number;
}

/** The result of one slice of a scan. */
interface Slice {
  readonly records: readonly MemoryRecord[];
  readonly examined: number;
  /** Id of the last entry examined; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
}

/** Scans in slices and lets other work run in between, so that no query blocks the process. */
async function queryPage(
  runtime: Runtime,
  query: Query,
  signal: AbortSignal | undefined,
): Promise<QueryPage> {
  const { limit, scan_limit } = query.filter;
  const wanted = searchFilter(query.filter);
  const records: MemoryRecord[] = [];
  let scanned = 0;
  let after = query.filter.after ?? undefined;
  for (;;) {
    signal?.throwIfAborted();
    const remaining = { after, records: limit - records.length, entries: scan_limit - scanned };
    const slice = await runtime.store.read((tx) => scanSlice(tx, query, wanted, remaining));
    records.push(...slice.records);
    scanned += slice.examined;
    after = slice.last;
    if (after === undefined || records.length === limit || scanned === scan_limit) {
      return { records, next_after: after ?? null, scanned_records: scanned };
    }
    await setImmediate();
  }
}

function scanSlice(
  tx: ReadTx,
  { namespace, nowMs }: Query,
  filter: SearchFilter,
  remaining: Remaining,
): Slice {
  const limit = Math.min(remaining.entries, QUERY_SLICE_ENTRIES);
  const records = Math.min(remaining.records, QUERY_SLICE_RECORDS);
  const found: { recordId: string; revision: number }[] = [];
  let examined = 0;
  let bytes = 0;
  let last: string | undefined;
  scanEntries(tx, namespace, { after: remaining.after, limit }, (entry, recordId) => {
    examined += 1;
    bytes += entry.size;
    const isFound = entry.isVisible(nowMs) && entry.matches(filter);
    if (isFound) found.push({ recordId: recordId(), revision: entry.revision });
    const isLast = examined === limit || found.length === records || bytes >= QUERY_SLICE_BYTES;
    if (isLast) last = recordId();
    return !isLast;
  });
  // Fetch records once the range is closed: the store allows no get while one is open.
  const shown = found.map(({ recordId, revision }) =>
    showRecord(recordId, recordOfEntry(tx, namespace, recordId, revision)),
  );
  return { records: shown, examined, last };
}

function searchFilter({ text_contains, episode_type, tag, tags }: QueryFilter): SearchFilter {
  return searchFilterOf({
    text: text_contains,
    type: episode_type,
    tags: [...(tag === null ? [] : [tag]), ...(tags ?? [])],
  });
}
