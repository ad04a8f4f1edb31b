/** Tools that read memory. */
import type {
  ScopeInput,
  SearchFilterInput,
  SearchOptions,
  SearchOrder,
  SearchVectorInput,
  WantedCountsInput,
  WordFilterInput,
} from '@agentkeep/client';
import { integer, objectOf, text } from '../json-schema.js';
import { documentOf } from './documents.js';
import { refusedTarget, targetOf } from './target.js';
import { defineTool, memoryOf, scopeOf, type Tool } from './tool.js';

interface GetArguments {
  readonly scope?: ScopeInput;
  readonly name?: string;
  readonly record_id?: string;
  readonly revision?: number;
  readonly as_of_millis?: number;
}

const memoryGet: Tool = defineTool<GetArguments>({
  name: 'memory_get',
  title: 'Get a record',
  description:
    'Reads a record by its name (null if there is none) or its id. With an id, revision or ' +
    'as_of_millis reads an older revision.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: ['memory_read'],
  scopeArgument: 'scope',
  input: objectOf(
    { name: text(), record_id: text(), revision: integer(), as_of_millis: integer() },
    [],
  ),
  renamings: [[/^id$/, 'record_id']],
  run: async (given, call) => {
    const target = targetOf(given);
    const { revision, as_of_millis: asOfMillis } = given;
    const isOld = revision !== undefined || asOfMillis !== undefined;
    if ('name' in target && isOld) throw refusedTarget('record_id, to read an older revision');
    const memory = await memoryOf(given, call);
    const { signal } = call;
    const record =
      'name' in target
        ? await memory.read(target, { signal })
        : await memory.read(target.recordId, { revision, asOfMillis, signal });
    return { record: record ?? null };
  },
});

interface HistoryArguments {
  readonly scope?: ScopeInput;
  readonly record_id: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const memoryHistory: Tool = defineTool<HistoryArguments>({
  name: 'memory_history',
  title: 'List the revisions of a record',
  description:
    'Lists who changed a record, when and to what, newest first. Go on with next_cursor as cursor.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: ['memory_read'],
  scopeArgument: 'scope',
  input: objectOf({ record_id: text(), limit: integer(), cursor: text() }, ['record_id']),
  renamings: [[/^id$/, 'record_id']],
  run: async (given, call) => {
    const { limit, cursor } = given;
    const options = { limit, cursor, signal: call.signal };
    const memory = await memoryOf(given, call);
    return { page: await memory.historyPage(given.record_id, options) };
  },
});

/** The members of a search, as the contract has them. */
interface SearchArguments {
  readonly scopes?: readonly ScopeInput[];
  readonly filter?: SearchFilterInput;
  readonly order?: SearchOrder;
  readonly vector?: SearchVectorInput;
  readonly words?: WordFilterInput;
  readonly counts?: WantedCountsInput;
  readonly highlights?: boolean;
  readonly explain?: boolean;
  readonly limit?: number;
  readonly scan_limit?: number;
  readonly cursor?: string;
}

const { properties, ...request } = documentOf('SearchRequest');
const searchRequest = {
  ...request,
  properties: { ...properties, filter: documentOf('SearchFilter') },
};

const memorySearch: Tool = defineTool<SearchArguments>({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Lists records that match a filter, in the order of time or words; memory_recall answers ' +
    'questions. Go on with next_cursor as cursor.',
  effect: 'reads',
  isIdempotent: true,
  capabilities: ['memory_read'],
  scopeArgument: 'scopes',
  input: searchRequest,
  run: async (given, call) => {
    const { filter: wanted = {}, scopes, scan_limit: scanLimit, ...rest } = given;
    const options: SearchOptions = {
      ...rest,
      ...(scanLimit === undefined ? {} : { scanLimit }),
      signal: call.signal,
    };
    const among = scopes ?? [await scopeOf(undefined, call)];
    return { page: await call.agent.memory.searchPage(wanted, { ...options, scopes: among }) };
  },
});

/** The tools that read memory. */
export const memoryReadTools: readonly Tool[] = [memoryGet, memorySearch, memoryHistory];
