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
import { membersOf, objectOf, refTo } from '../json-schema.js';
import { refusedTarget, targetOf } from './target.js';
import { defineTool, scopeOf, type Tool } from './tool.js';

interface GetArguments {
  readonly scope?: ScopeInput;
  readonly name?: string;
  readonly record_id?: string;
  readonly revision?: number;
  readonly as_of_millis?: number;
}

const revisionNumber = { type: 'integer', minimum: 1 };
const recordId = { type: 'string', format: 'uuid' };

const memoryGet: Tool = defineTool<GetArguments>({
  name: 'memory_get',
  title: 'Get a record',
  description:
    'Reads a record by its name, or by its id. Returns null as the record when nothing current ' +
    'has that name. With an id, revision or as_of_millis reads an older revision.',
  effect: 'reads',
  isIdempotent: true,
  input: objectOf(
    {
      scope: refTo('Scope'),
      name: refTo('RecordName'),
      record_id: recordId,
      revision: revisionNumber,
      as_of_millis: { type: 'integer', minimum: 0, description: 'Unix milliseconds.' },
    },
    ['scope'],
  ),
  output: objectOf({ record: { anyOf: [refTo('MemoryRecord'), { type: 'null' }] } }),
  run: async (given, call) => {
    const target = targetOf(given);
    const { revision, as_of_millis: asOfMillis } = given;
    const isOld = revision !== undefined || asOfMillis !== undefined;
    if ('name' in target && isOld) throw refusedTarget('record_id, to read an older revision');
    const scope = scopeOf(given.scope, call);
    const { signal } = call;
    const { memory } = call.agent;
    const record =
      'name' in target
        ? await memory.in(scope).read(target, { signal })
        : await memory.in(scope).read(target.recordId, { revision, asOfMillis, signal });
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
    'Lists who changed a record, when and to what, the newest revision first. Go on with ' +
    'next_cursor as cursor until it is null.',
  effect: 'reads',
  isIdempotent: true,
  input: objectOf(
    {
      scope: refTo('Scope'),
      record_id: recordId,
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
      cursor: { type: 'string' },
    },
    ['scope', 'record_id'],
  ),
  output: objectOf({ page: refTo('RevisionsPage') }),
  run: async (given, call) => {
    const { limit, cursor } = given;
    const options = { limit, cursor, signal: call.signal };
    const scope = scopeOf(given.scope, call);
    return { page: await call.agent.memory.in(scope).historyPage(given.record_id, options) };
  },
});

/** The members of a search, as the contract has them. */
interface SearchArguments {
  readonly scopes?: readonly ScopeInput[];
  readonly filter?: SearchFilterInput | null;
  readonly order?: SearchOrder;
  readonly vector?: SearchVectorInput | null;
  readonly words?: WordFilterInput | null;
  readonly counts?: WantedCountsInput | null;
  readonly highlights?: boolean;
  readonly explain?: boolean;
  readonly limit?: number;
  readonly scan_limit?: number;
  readonly cursor?: string | null;
}

const request = membersOf('SearchRequest');

const memorySearch: Tool = defineTool<SearchArguments>({
  name: 'memory_search',
  title: 'Search memory',
  description:
    'Finds records of one scope, or of up to 16, by words, text, tags, type, author, time, name ' +
    'prefix or values in their JSON; the newest first unless order says otherwise. Go on with ' +
    'next_cursor as cursor until it is null.',
  effect: 'reads',
  isIdempotent: true,
  input: request,
  output: objectOf({ page: refTo('SearchPage') }),
  run: async (given, call) => {
    const page = await call.agent.memory.searchPage(given.filter ?? {}, {
      ...searchOptions(given),
      scopes: given.scopes ?? [scopeOf(undefined, call)],
      signal: call.signal,
    });
    return { page };
  },
});

/** Returns the options of a search; a member that is null is left out. */
function searchOptions(given: SearchArguments): SearchOptions {
  const { order, vector, words, counts, highlights, explain, limit, cursor } = given;
  const options = { order, vector, words, counts, highlights, explain, limit, cursor };
  const wanted = { ...options, scanLimit: given.scan_limit };
  const present = Object.entries(wanted).filter(
    ([, value]) => value !== undefined && value !== null,
  );
  return Object.fromEntries(present);
}

/** The tools that read memory. */
export const memoryReadTools: readonly Tool[] = [memoryGet, memorySearch, memoryHistory];
