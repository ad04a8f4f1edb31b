/** `queryMemory`: pages through the records of a scope that match a filter, in the order of ids. */
import {
  PAGE_BYTES_MAX,
  QUERY_SLICE_RECORD_BYTES,
  QUERY_SLICE_RECORDS,
} from '../../contract/limits.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import type {
  Match,
  ScanMemory,
  ScannedPart,
  ScanPart,
  SearchFilter,
} from '../../runtime/ports/memory-scan.js';
import type { CallRequest } from '../../runtime/operation/requests.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { ReadTx } from '../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { recordOfEntry } from '../record/memory-store.js';
import { type Namespace, namespaceOf } from '../../access/namespace.js';
import { showRecord } from '../record/record-layout.js';
import {
  defaultFilter,
  type MemoryRecord,
  type QueryFilter,
  type QueryPage,
  QueryRequest,
  QueryResponse,
} from '../documents/schema.js';
import { scanStored } from '../record/scan-memory.js';
import { searchFilterOf } from '../record/search-entry.js';

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
  isHeavy: true,
  handler: async (request) => {
    const { credential, input, nowMs } = request;
    const { scope, filter } = input.document;
    const namespace = namespaceOf(credential, scope);
    const wanted = filter ?? defaultFilter;
    const query = { namespace, filter: searchFilter(wanted), nowMs };
    return {
      contract_version: CONTRACT_VERSION,
      scope,
      page: await queryPage(request, query, wanted),
    };
  },
});

type Query = Pick<ScanPart, 'namespace' | 'filter' | 'nowMs'>;

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
  /** Entries examined up to the last of the records. */
  readonly examinedToRecord: number;
  /** Id of the last entry examined; absent when the namespace was exhausted first. */
  readonly last: string | undefined;
  /** Whether the next record has no room on the page. */
  readonly isFull: boolean;
  readonly remember: ScannedPart['remember'];
}

/** Scans in slices and takes turns with other heavy calls. */
async function queryPage(
  request: Pick<CallRequest<InputSchemas>, 'runtime' | 'turn'>,
  query: Query,
  { limit, scan_limit, after: start }: QueryFilter,
): Promise<QueryPage> {
  const { store, scanMemory } = request.runtime;
  const scan = scanMemory ?? scanStored;
  const records: MemoryRecord[] = [];
  let bytes = 0;
  let scanned = 0;
  let after = start ?? undefined;
  let scannedToRecord = 0;
  for (;;) {
    const remaining = {
      after,
      records: limit - records.length,
      entries: scan_limit - scanned,
      bytes: PAGE_BYTES_MAX - bytes,
    };
    const slice = await store.read((tx) => scanSlice(tx, scan, query, remaining));
    slice.remember?.();
    records.push(...slice.records);
    if (slice.records.length > 0) scannedToRecord = scanned + slice.examinedToRecord;
    if (slice.isFull) {
      // Not the last entry examined: where a slice ended must not show.
      const next_after = records.at(-1)?.record_id ?? null;
      return { records, next_after, scanned_records: scannedToRecord };
    }
    bytes += slice.bytes;
    scanned += slice.examined;
    after = slice.last;
    if (after === undefined || records.length === limit || scanned === scan_limit) {
      return { records, next_after: after ?? null, scanned_records: scanned };
    }
    await request.turn();
  }
}

function scanSlice(tx: ReadTx, scan: ScanMemory, query: Query, remaining: Remaining): Slice {
  const { after, entries } = remaining;
  const records = Math.min(remaining.records, QUERY_SLICE_RECORDS);
  const scanned = scan(tx, { ...query, after, entries, records });
  // Fetch records once the range is closed: the store allows no get while one is open.
  return readMatches(tx, query.namespace, scanned, remaining);
}

/** Reads the records of a slice, which ends before its other matches when it has enough bytes. */
function readMatches(
  tx: ReadTx,
  namespace: Namespace,
  { matches, examined, last, remember }: ScannedPart,
  remaining: Remaining,
): Slice {
  const isFirstOfPage = remaining.bytes === PAGE_BYTES_MAX;
  const records: MemoryRecord[] = [];
  let bytes = 0;
  let read: Match | undefined;
  for (const match of matches) {
    const record = recordOfEntry(tx, namespace, match.recordId, match.revision);
    const size = record.bytes + RECORD_FRAME_BYTES;
    const isFull = bytes + size > remaining.bytes && !(isFirstOfPage && read === undefined);
    if (isFull || bytes >= QUERY_SLICE_RECORD_BYTES) {
      const examinedToRecord = read?.examined ?? 0;
      const end = { examined: examinedToRecord, last: read?.recordId ?? remaining.after };
      return { records, bytes, isFull, examinedToRecord, ...end, remember };
    }
    records.push(showRecord(match.recordId, record.value));
    bytes += size;
    read = match;
  }
  const examinedToRecord = read?.examined ?? 0;
  return { records, bytes, isFull: false, examinedToRecord, examined, last, remember };
}

function searchFilter({ text_contains, episode_type, tag, tags }: QueryFilter): SearchFilter {
  return searchFilterOf({
    text: text_contains,
    type: episode_type,
    tags: [...(tag === null ? [] : [tag]), ...(tags ?? [])],
  });
}
