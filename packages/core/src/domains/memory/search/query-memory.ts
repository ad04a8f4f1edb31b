/** `queryMemory`: pages through the records of a scope that match a filter, in the order of ids. */
import { inExampleScope } from '../../../contract/example-values.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import { QUERY_SLICE_RECORD_BYTES } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import {
  defaultFilter,
  type QueryFilter,
  QueryRequest,
  QueryResponse,
} from '../documents/query-schema.js';
import { readCounter } from '../record/read-port.js';
import { scanStored } from '../record/scan-memory.js';
import { currentSource } from '../view/memory-source.js';
import { learnChanges, missingIn, readThrough } from '../view/read-through.js';
import { everything, type SearchFilter } from './documents/schema.js';
import { SearchWork } from './examination/search-work.js';
import { compileSearch } from './matching/compiled-search.js';
import { compileOrder } from './matching/search-order.js';
import { examineById } from './pages/search-pages.js';

/** About the bytes of the names in a shown record. Its values are stored as they are shown. */
const RECORD_FRAME_BYTES = 400;

/**
 * A search of one scope, the oldest records first, whose filter search entries decide. Not a
 * snapshot: writes between two slices or pages may be seen or missed.
 */
export const queryMemory = defineTenantOperation({
  name: 'queryMemory',
  summary: 'Find records of a scope by text, type and tags.',
  example: { document: { ...inExampleScope, filter: { tag: 'refunds', limit: 25 } } },
  tag: 'Memory',
  effect: 'read',
  input: { document: QueryRequest },
  output: QueryResponse,
  requires: { capability: 'memory_read', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  errors: ['history_gone', 'branch_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { credential, input, runtime } = request;
    const { scope, filter, as_of: asOf } = input.document;
    const wanted = filter ?? defaultFilter;
    const namespace = namespaceOf(credential, scope);
    const through = await readThrough(request, [namespace], asOf, 'search');
    await learnChanges(through);
    const [source = currentSource(namespace, scanStored)] = through.sources;
    const compiled = compileSearch(searchFilterOf(wanted), through.atMillis);
    const plan = {
      compiled,
      order: compileOrder('oldest', compiled, undefined),
      shown: { highlights: false, wordsFound: false, distance: false },
      frameBytes: RECORD_FRAME_BYTES,
      sliceRecordBytes: QUERY_SLICE_RECORD_BYTES,
      isMerged: false,
      work: new SearchWork(runtime.clock),
    };
    const scopes = [{ index: 0, scope, namespace, source }];
    const page = await examineById(through.request, { plan, scopes }, wanted.after ?? undefined, {
      matches: wanted.limit,
      entries: wanted.scan_limit,
    });
    const shown = page.matches.map(({ record }) => record);
    const ids = shown.map(({ record_id: id }) => id);
    readCounter.of(runtime).note(credential, namespace, ids);
    return {
      contract_version: CONTRACT_VERSION,
      scope,
      page: {
        records: shown,
        next_after: page.last ?? null,
        scanned_records: page.examined,
        ...missingIn(through, asOf),
      },
    };
  },
});

function searchFilterOf(filter: QueryFilter): SearchFilter {
  const { text_contains, episode_type, tag, tags, source, derived_from } = filter;
  return {
    ...everything,
    text_contains,
    episode_types: episode_type === null ? undefined : [episode_type],
    tags: { all: [...(tag === null ? [] : [tag]), ...(tags ?? [])] },
    sources: source === null ? undefined : [source],
    derived_from,
  };
}
