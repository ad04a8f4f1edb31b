/** `queryMemory`: pages through the records of a scope that match a filter, in the order of ids. */
import {
  PAGE_BYTES_MAX,
  QUERY_SLICE_BYTES,
  QUERY_SLICE_ENTRIES,
  QUERY_SLICE_RECORD_BYTES,
  QUERY_SLICE_RECORDS,
} from '../contract/limits.js';
import { defineTenantOperation } from '../runtime/define-operation.js';
import type { CallRequest } from '../runtime/requests.js';
import type { InputSchemas } from '../runtime/input-rules.js';
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
  isHeavy: true,
  handler: async (request) => {
    const { credential, input, nowMs } = request;
    const { scope, filter } = input.document;
    const namespace = namespaceOf(credential, scope);
    const query = { namespace, filter: filter ?? defaultFilter, nowMs };
    return {
      contract_version: CONTRACT_VERSION,
      scope,
      page: await queryPage(request, query),
    };
  },
});

interface Query {
  readonly namespace: Namespace;
  readonly filter: QueryFilter;
  readonly nowMs: number;
}

/** About the bytes of the names in a shown record. Its values are stored as they are shown. */
const RECORD_FRAME_BYTES = 400;

/** The remaining work on a page. */
interface Remaining {
  readonly after: string | undefined;
  readonly records: number;
  readonly entries: number;
  readonly bytes: number;
}

/** The result of one slice of a scan. */
interface Slice {
  readonly records: readonly MemoryRecord[];
  /** About the bytes of the records in an answer. */
  readonly bytes: number;
  readonly examined: number;
  /** Id of the last entry examined; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
  /** Whether the next record has no room on the page. */
  readonly isFull: boolean;
}

/** An entry that matches. */
interface Match {
  readonly recordId: string;
  readonly revision: number;
  /** Entries examined up to this one. */
  readonly examined: number;
}

/** Scans in slices and takes turns with other heavy calls. */
async function queryPage(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>,
  query: Query,
): Promise<QueryPage> {
  const { limit, scan_limit } = query.filter;
  const wanted = searchFilter(query.filter);
  const records: MemoryRecord[] = [];
  let bytes = 0;
  let scanned = 0;
  let after = query.filter.after ?? undefined;
  for (;;) {
    const remaining = {
      after,
      records: limit - records.length,
      entries: scan_limit - scanned,
      bytes: PAGE_BYTES_MAX - bytes,
    };
    const slice = await request.runtime.store.read((tx) => scanSlice(tx, query, wanted, remaining));
    records.push(...slice.records);
    bytes += slice.bytes;
    scanned += slice.examined;
    after = slice.last;
    const isEnd = after === undefined || records.length === limit || scanned === scan_limit;
    if (isEnd || slice.isFull) {
      return { records, next_after: after ?? null, scanned_records: scanned };
    }
    await request.turn();
  }
}

function scanSlice(
  tx: ReadTx,
  { namespace, nowMs }: Query,
  filter: SearchFilter,
  remaining: Remaining,
): Slice {
  const limit = Math.min(remaining.entries, QUERY_SLICE_ENTRIES);
  const most = Math.min(remaining.records, QUERY_SLICE_RECORDS);
  const matches: Match[] = [];
  let examined = 0;
  let bytes = 0;
  let last: string | undefined;
  scanEntries(tx, namespace, { after: remaining.after, limit }, (entry, recordId) => {
    examined += 1;
    bytes += entry.size;
    const isMatch = entry.isVisible(nowMs) && entry.matches(filter);
    if (isMatch) matches.push({ recordId: recordId(), revision: entry.revision, examined });
    const isLast = examined === limit || matches.length === most || bytes >= QUERY_SLICE_BYTES;
    if (isLast) last = recordId();
    return !isLast;
  });
  // Fetch records once the range is closed: the store allows no get while one is open.
  return readMatches(tx, namespace, matches, { ...remaining, examined, last });
}

/** Reads the records of a slice, which ends before its other matches when it has enough bytes. */
function readMatches(
  tx: ReadTx,
  namespace: Namespace,
  matches: readonly Match[],
  slice: Remaining & Pick<Slice, 'examined' | 'last'>,
): Slice {
  const isFirstOfPage = slice.bytes === PAGE_BYTES_MAX;
  const records: MemoryRecord[] = [];
  let bytes = 0;
  let read: Match | undefined;
  for (const match of matches) {
    const record = recordOfEntry(tx, namespace, match.recordId, match.revision);
    const size = record.bytes + RECORD_FRAME_BYTES;
    const isFull = bytes + size > slice.bytes && !(isFirstOfPage && read === undefined);
    if (isFull || bytes >= QUERY_SLICE_RECORD_BYTES) {
      return {
        records,
        bytes,
        isFull,
        examined: read?.examined ?? 0,
        last: read?.recordId ?? slice.after,
      };
    }
    records.push(showRecord(match.recordId, record.value));
    bytes += size;
    read = match;
  }
  return { records, bytes, isFull: false, examined: slice.examined, last: slice.last };
}

function searchFilter({ text_contains, episode_type, tag, tags }: QueryFilter): SearchFilter {
  return searchFilterOf({
    text: text_contains,
    type: episode_type,
    tags: [...(tag === null ? [] : [tag]), ...(tags ?? [])],
  });
}
