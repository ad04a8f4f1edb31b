/** The members of documents and parameters, from the arguments of the memory client. */
import type { MemoryScopeInput } from '../kernel/access/scope.js';
import {
  refuseUnknownOptions,
  requireArguments,
  wrongMembers,
} from '../contract/errors/arguments.js';
import { CONTRACT_VERSION } from '../contract/version.js';
import type { AsOf } from '../domains/memory/documents/as-of-schema.js';
import type { Dependents } from '../domains/memory/documents/lineage-schema.js';
import type { RecordInput } from '../domains/memory/documents/schema.js';
import type {
  SearchFilterInput,
  SearchTextInput,
  SearchVectorInput,
} from '../domains/memory/search/documents/schema.js';
import { stated } from './call.js';
import type {
  ChangePageOptions,
  QueryFilterInput,
  QueryOptions,
  ReadOptions,
  RecordTarget,
  RememberOptions,
  SearchOptions,
} from './memory-options.js';

/** Returns the record of a text. */
export function recordOfText(call: string, primary: string, options: RememberOptions): RecordInput {
  refuseUnknownOptions(call, options, REMEMBER_OPTIONS);
  const { tags, metadata, at, source, derivedFrom, supersedes } = options;
  const wrong = [
    ...(typeof primary === 'string' ? [] : [{ path: 'text', expected: 'a text' }]),
    ...(tags === undefined || Array.isArray(tags) ? [] : [{ path: 'tags', expected: 'an array' }]),
    ...(at === undefined || Number.isInteger(at.valueOf()) ? [] : [A_TIME]),
  ];
  if (wrong.length > 0) throw wrongMembers(call, wrong);
  return {
    content: { primary },
    ...stated({
      tags: tags && [...tags],
      metadata,
      event_time_millis: at?.valueOf(),
      source,
      derived_from: derivedFrom,
      supersedes,
    }),
  };
}

const A_TIME = { path: 'at', expected: 'a Date, or milliseconds since 1970' };

const REMEMBER_OPTIONS = [
  ...(['name', 'tags', 'metadata', 'at', 'source', 'derivedFrom', 'supersedes'] as const),
  ...(['idempotencyKey', 'signal'] as const),
] as const;

/** Returns the filter document of a query, the state that it reads, and its signal. */
export function queryOf(call: string, filter: QueryFilterInput, options: QueryOptions) {
  refuseUnknownOptions(call, filter, [
    ...(['text_contains', 'episode_type', 'tag', 'tags', 'source', 'derived_from'] as const),
  ]);
  refuseUnknownOptions(call, options, ['after', 'limit', 'scanLimit', 'asOf', 'signal']);
  const { after, limit, scanLimit, asOf, signal } = options;
  return {
    filter: {
      ...stated({ limit, scan_limit: scanLimit }),
      after: after ?? null,
      text_contains: null,
      episode_type: null,
      ...filter,
    },
    ...stated({ as_of: asOf }),
    signal,
  };
}

/** Returns the query parameters of a page of changes. */
export function changeParametersOf(
  scope: MemoryScopeInput | undefined,
  { after, limit, waitMillis, proposals }: ChangePageOptions,
) {
  return {
    ...(scope === undefined ? {} : parametersOf(scope)),
    ...stated({ after, limit, wait_millis: waitMillis }),
    ...(proposals === true ? { proposals: 'include' as const } : {}),
  };
}

/** Returns a scope as query parameters, which have no null. */
export function parametersOf({ mission_id, ...rest }: MemoryScopeInput) {
  return typeof mission_id === 'string' ? { ...rest, mission_id } : rest;
}

/** Returns the query parameters that name a revision to read. */
export function revisionParameters(call: string, options: ReadOptions) {
  refuseUnknownOptions(call, options, ['revision', 'asOfMillis', 'asOf', 'signal']);
  const { revision, asOfMillis, asOf } = options;
  return {
    ...asOfParameters(asOf),
    ...stated({ revision, as_of_millis: asOfMillis }),
  };
}

/** Returns the query parameters that name the state to read. */
export function asOfParameters(asOf: AsOf | undefined) {
  if (asOf === undefined) return {};
  return 'millis' in asOf ? { as_of_millis: asOf.millis } : { as_of_cursor: asOf.cursor };
}

/** Returns the members that name a revision of a record. */
export function wireTarget(call: string, { recordId, expectedRevision }: RecordTarget) {
  requireArguments(call, {
    'target.recordId': recordId,
    'target.expectedRevision': expectedRevision,
  });
  return { record_id: recordId, expected_revision: expectedRevision };
}

/** Returns the member that states an expected revision, if there is one. */
export function expected(revision: number | undefined): { expected_revision?: number } {
  return stated({ expected_revision: revision });
}

/** Returns the member that says what to do about what was derived, if anything. */
export function traced(dependents: Dependents | undefined): { dependents?: Dependents } {
  return stated({ dependents });
}

/** Returns the document of a search. */
export function searchOf(
  call: string,
  scopes: readonly MemoryScopeInput[],
  filter: SearchFilterInput,
  options: Omit<SearchOptions, 'vector'> & {
    readonly vector: SearchVectorInput | SearchTextInput | undefined;
  },
) {
  requireArguments(call, { filter });
  refuseUnknownOptions(call, options, [
    'order',
    'vector',
    'space',
    'words',
    'join',
    'counts',
    'highlights',
    'passageBytes',
    'successors',
    'explain',
    'explainRecord',
    'cursor',
    'limit',
    'scanLimit',
    'asOf',
    'scopes',
    'signal',
  ]);
  const { order, vector, words, join, counts, highlights, cursor, limit, scanLimit } = options;
  const { passageBytes, successors, explain, explainRecord, space, asOf } = options;
  return {
    contract_version: CONTRACT_VERSION,
    scopes: [...scopes],
    filter,
    ...stated({
      as_of: asOf,
      order,
      vector,
      space,
      words,
      join,
      counts,
      highlights,
      passage_bytes: passageBytes,
      successors,
      explain,
      explain_record: explainRecord,
      limit,
      scan_limit: scanLimit,
    }),
    cursor: cursor ?? null,
  };
}
