/**
 * The operation that searches a scope.
 *
 * Checks that the members of a search fit together. Schemas check each member alone.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { SEARCH_BYTES_MAX, SEARCH_SLICE_RECORD_BYTES } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Store } from '../../../storage/store/store.js';
import { DEFAULT_SPACE } from '../documents/default-space.js';
import { readCounter } from '../record/read-port.js';
import { findSpaces } from '../spaces/embedding-spaces.js';
import { loadWordForms } from '../text/word-forms.js';
import { learnChanges, missingIn, readThrough } from '../view/read-through.js';
import type { ViewedReads } from '../view/viewed-reads.js';
import type { SearchPath } from './documents/explanation-schema.js';
import {
  everything,
  type SearchFilter,
  type SearchOrder,
  type SearchPage,
  SearchRequest,
  SearchResponse,
} from './documents/schema.js';
import type { SearchedScope } from './examination/search-plan.js';
import { SearchWork } from './examination/search-work.js';
import { compileSearch } from './matching/compiled-search.js';
import { compileOrder } from './matching/search-order.js';
import { WantedVector } from './matching/wanted-vector.js';
import { pageByBestWords } from './pages/best-pages.js';
import { explainRecord } from './pages/explain-record.js';
import { pageByJoinedRanks } from './pages/joined-pages.js';
import { pageByRarity } from './pages/rarity-pages.js';
import { pageById, pageByRank, pageOfCounts, type PlannedSearch } from './pages/search-pages.js';
import { meaningMembers, type SearchByNumbers, withNumbers } from './text-vector.js';

const ordersOfWords: ReadonlySet<SearchOrder> = new Set([
  'most_words',
  'rarest_words',
  'best_words',
]);

/**
 * Checks that an order has the members that it needs, and that counts use an order of ids and
 * explain no record.
 *
 * @throws {AgentkeepError} `invalid_request`, naming the member that lacks another one.
 */
function checkSearch(
  {
    order,
    filter,
    counts,
    words: ranked,
    explain_record: explained,
    join,
    passage_bytes,
    successors,
  }: SearchByNumbers,
  vector: WantedVector | undefined,
): void {
  const words = filter?.words ?? null;
  const isByIds = order === 'newest' || order === 'oldest';
  if (counts !== null && !isByIds) throw refused('order', 'newest or oldest, with counts');
  if (counts !== null && explained !== null) throw refused('explain_record', 'no counts');
  if (ordersOfWords.has(order) && words === null) throw refused('order', 'words in the filter');
  if (passage_bytes !== null && order !== 'best_words') {
    throw refused('passage_bytes', 'the order best_words');
  }
  if (successors && order !== 'best_words') throw refused('successors', 'the order best_words');
  if (successors && (filter?.expired !== 'hidden' || filter.include_superseded)) {
    throw refused('successors', 'a filter that hides ended records');
  }
  if (join !== null && order !== 'hybrid') throw refused('join', 'the order hybrid');
  if (order === 'nearest' && vector === undefined) throw refused('order', 'a vector');
  if (order === 'hybrid') {
    if (ranked === null || vector === undefined) throw refused('order', 'words and a vector');
  } else if (ranked !== null) throw refused('words', 'the order hybrid');
  else if (order !== 'nearest' && vector !== undefined) {
    throw refused('vector', 'the order nearest or hybrid');
  }
  if (vector?.isMeasurable === false) throw refused('vector.values', 'a number other than 0');
}

function refused(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}

/** About the bytes of the names in a shown match. */
const MATCH_FRAME_BYTES = 800;

/** Not a snapshot: writes between two slices or pages may be seen or missed. */
export const searchMemory = defineTenantOperation({
  name: 'searchMemory',
  summary: 'Find or count records of one or several scopes by words and other filters.',
  example: {
    document: {
      ...exampleVersion,
      scopes: [exampleScope],
      filter: { words: { text: 'refund policy', match: 'any' } },
      order: 'most_words',
      limit: 10,
    },
  },
  tag: 'Memory',
  effect: 'read',
  input: { document: SearchRequest },
  document: { bytesMax: SEARCH_BYTES_MAX },
  output: SearchResponse,
  requires: {
    capability: 'memory_read',
    scopes: ({ document }) => ({
      all: document.scopes,
      memberOf: (index) => `scopes[${index}]`,
    }),
  },
  checks: scopedChecks,
  errors: ['history_gone', 'branch_not_found'],
  isHeavy: true,
  handler: async (request) => {
    const { credential, input, runtime } = request;
    const resolved = await withNumbers(request, input.document);
    if (resolved.page !== undefined) {
      return { contract_version: CONTRACT_VERSION, page: resolved.page };
    }
    const { document } = resolved;
    const filter = document.filter ?? everything;
    const namespaces = document.scopes.map((scope) => namespaceOf(credential, scope));
    const through = await readThrough(request, namespaces, document.as_of, 'search');
    const scopes = searchedScopes(document.scopes, namespaces, through);
    const space = await spaceOf(document, scopes, runtime.store);
    const vector = document.vector === null ? undefined : new WantedVector(document.vector, space);
    checkSearch(document, vector);
    await learnChanges(through);
    const work = new SearchWork(runtime.clock);
    const beside = {
      space,
      rankedBy: document.words,
      forms: await loadWordForms(filter.words?.forms ?? 'exact'),
      rankedForms: await loadWordForms(document.words?.forms ?? 'exact'),
    };
    const compile = (members: Partial<SearchFilter> = {}) =>
      compileSearch({ ...filter, ...members }, through.atMillis, beside);
    const compiled = compile(document.successors ? { include_superseded: true } : {});
    const plan = {
      compiled,
      order: compileOrder(document.order, compiled, vector),
      shown: {
        highlights: document.highlights,
        wordsFound: document.order === 'most_words' || document.words !== null,
        distance: document.vector !== null,
      },
      frameBytes: MATCH_FRAME_BYTES,
      sliceRecordBytes: SEARCH_SLICE_RECORD_BYTES,
      isMerged: scopes.length > 1,
      countedBy: document.counts?.by,
      successors: document.successors
        ? { asked: compile(), holding: compile({ words: null }) }
        : undefined,
      work,
    };
    const search = { document: { ...document, filter }, plan, scopes };
    const turn = () => work.wait(() => request.turn());
    const page = await pageOf({ runtime: through.request.runtime, turn }, search);
    if (document.explain) page.explanation = work.explain(pathOf(search), compiled);
    if (document.explain_record !== null) {
      const explained = { ...search, plan: { ...plan, work: new SearchWork(runtime.clock) } };
      const { explain_record: recordId } = document;
      page.record_explanation = await explainRecord(through.request, explained, recordId);
    }
    for (const { namespace, scope } of scopes) {
      const found = page.matches.filter((match) => match.scope === scope);
      const ids = found.map(({ record }) => record.record_id);
      readCounter.of(runtime).note(credential, namespace, ids);
    }
    const missing = missingIn(through, document.as_of);
    return {
      contract_version: CONTRACT_VERSION,
      page: { ...page, ...missing, ...meaningMembers(request, input.document) },
    };
  },
});

function searchedScopes(
  scopes: readonly MemoryScope[],
  namespaces: readonly Namespace[],
  { sources }: ViewedReads,
): SearchedScope[] {
  return scopes.flatMap((scope, index) => {
    const [namespace, source] = [namespaces[index], sources[index]];
    return namespace && source ? [{ index, scope, namespace, source }] : [];
  });
}

function pathOf({ plan: { countedBy, order } }: PlannedSearch): SearchPath {
  if (countedBy !== undefined) return 'counted';
  if (order.wordsKeyOf !== undefined) return 'by_joined_ranks';
  return order.keyOf === undefined ? 'by_id' : 'by_rank';
}

/** Returns the page that a search asks for. */
function pageOf(
  request: Parameters<typeof pageById>[0],
  search: PlannedSearch,
): Promise<SearchPage> {
  const { countedBy, order } = search.plan;
  if (countedBy !== undefined) return pageOfCounts(request, search, countedBy);
  if (search.document.order === 'rarest_words') return pageByRarity(request, search);
  if (order.isWeighed === true) return pageByBestWords(request, search);
  if (order.wordsKeyOf !== undefined) return pageByJoinedRanks(request, search);
  return (order.keyOf === undefined ? pageById : pageByRank)(request, search);
}

/**
 * Returns the space that a search names, or else the default of its scopes.
 *
 * @throws {AgentkeepError} `invalid_request` where that depends on the scope.
 */
async function spaceOf(
  { space, vector, filter }: Pick<SearchByNumbers, 'space' | 'vector' | 'filter'>,
  scopes: readonly SearchedScope[],
  store: Pick<Store, 'read'>,
): Promise<string> {
  if (space !== null) return space;
  if (vector === null && (filter?.embedded ?? null) === null) return DEFAULT_SPACE;
  const defaults = await store.read((tx) =>
    scopes.map(({ namespace }) => findSpaces(tx, namespace).defaultName),
  );
  const [first = DEFAULT_SPACE] = defaults;
  const other = defaults.findIndex((name) => name !== first);
  if (other === -1) return first;
  const expected = `a space, since scopes[0] and scopes[${other}] have different defaults`;
  throw new AgentkeepError('invalid_request', { members: [{ path: 'space', expected }] });
}
