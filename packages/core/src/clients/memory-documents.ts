/** The members of documents and parameters, from the arguments of the memory client. */
import type { ScopeInput } from '../access/scope.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { SearchFilterInput, SearchVectorInput } from '../memory/search/documents/schema.js';
import type {
  ChangePageOptions,
  MemoryQuery,
  QueryFilterInput,
  QueryOptions,
  ReadOptions,
  RecordTarget,
  ScopesOptions,
  SearchOptions,
} from './memory-options.js';

/**
 * Returns the scope of a call.
 * @throws {AgentkeepError} `invalid_request` where there is none.
 */
export function requireScope(call: string, scope: ScopeInput | undefined): ScopeInput {
  if (scope !== undefined) return scope;
  const members = [{ path: 'scope', expected: 'a scope' }];
  const message = `${call}: missing \`scope\`. Name one with \`agent.memory.in(scope)\`.`;
  throw new AgentkeepError('invalid_request', { members, message });
}

/**
 * Returns the scopes of a call that can look in several.
 * @throws {AgentkeepError} `invalid_request` where there is none.
 */
export function scopesOf(
  call: string,
  scope: ScopeInput | undefined,
  { scopes }: ScopesOptions,
): readonly ScopeInput[] {
  return scopes ?? [requireScope(call, scope)];
}

/** Returns the filter document of a query, and its signal. */
export function queryOf(
  call: string,
  filter: QueryFilterInput | MemoryQuery,
  options: QueryOptions,
) {
  const { textContains, episodeType, after, limit, scanLimit, signal, ...rest } =
    filter as MemoryQuery & QueryFilterInput;
  refuseUnknownOptions(call, rest, ['text_contains', 'episode_type', 'tag', 'tags']);
  refuseUnknownOptions(call, options, ['after', 'limit', 'scanLimit', 'signal']);
  const given = { after, limit, scanLimit, signal, ...options };
  return {
    filter: {
      ...(given.limit === undefined ? {} : { limit: given.limit }),
      ...(given.scanLimit === undefined ? {} : { scan_limit: given.scanLimit }),
      after: given.after ?? null,
      text_contains: textContains ?? null,
      episode_type: episodeType ?? null,
      ...rest,
    },
    signal: given.signal,
  };
}

/** Returns the query parameters of a page of changes. */
export function changeParametersOf(
  scope: ScopeInput | undefined,
  { after, limit, waitMillis }: ChangePageOptions,
) {
  return {
    ...(scope === undefined ? {} : parametersOf(scope)),
    ...(after === undefined ? {} : { after }),
    ...(limit === undefined ? {} : { limit }),
    ...(waitMillis === undefined ? {} : { wait_millis: waitMillis }),
  };
}

/** Returns a scope as query parameters, which have no null. */
export function parametersOf({ mission_id, ...rest }: ScopeInput) {
  return typeof mission_id === 'string' ? { ...rest, mission_id } : rest;
}

/** Returns the query parameters that name a revision to read. */
export function revisionParameters(call: string, options: ReadOptions) {
  refuseUnknownOptions(call, options, ['revision', 'asOfMillis', 'signal']);
  const { revision, asOfMillis } = options;
  return {
    ...(revision === undefined ? {} : { revision }),
    ...(asOfMillis === undefined ? {} : { as_of_millis: asOfMillis }),
  };
}

/** Returns the members that name a revision of a record. */
export function wireTarget(call: string, { recordId, expectedRevision }: RecordTarget) {
  requireArguments(call, {
    'target.recordId': recordId,
    'target.expectedRevision': expectedRevision,
  });
  return { record_id: recordId, expected_revision: expectedRevision };
}

/** Returns the document of a search. */
export function searchOf(
  call: string,
  scopes: readonly ScopeInput[],
  filter: SearchFilterInput,
  options: Omit<SearchOptions, 'vector'> & { readonly vector: SearchVectorInput | undefined },
) {
  requireArguments(call, { filter });
  refuseUnknownOptions(call, options, [
    'order',
    'vector',
    'words',
    'counts',
    'highlights',
    'explain',
    'cursor',
    'limit',
    'scanLimit',
    'scopes',
    'signal',
  ]);
  const { order, vector, words, counts, highlights, explain, cursor, limit, scanLimit } = options;
  return {
    contract_version: CONTRACT_VERSION,
    scopes: [...scopes],
    filter,
    ...(order === undefined ? {} : { order }),
    ...(vector === undefined ? {} : { vector }),
    ...(words === undefined ? {} : { words }),
    ...(counts === undefined ? {} : { counts }),
    ...(highlights === undefined ? {} : { highlights }),
    ...(explain === undefined ? {} : { explain }),
    ...(limit === undefined ? {} : { limit }),
    ...(scanLimit === undefined ? {} : { scan_limit: scanLimit }),
    cursor: cursor ?? null,
  };
}
