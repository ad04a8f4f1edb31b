/** The members of documents and parameters, from the arguments of the memory client. */
import type { ScopeInput } from '../access/scope.js';
import { refuseUnknownOptions, requireArguments } from '../contract/errors/arguments.js';
import type { MemoryQuery, RecordTarget } from './memory-options.js';

const queryMembers = [
  'textContains',
  'episodeType',
  'tag',
  'tags',
  'after',
  'limit',
  'scanLimit',
  'signal',
] as const;

/** Returns the filter of a query. */
export function filterOf(call: string, query: MemoryQuery) {
  refuseUnknownOptions(call, query, queryMembers);
  const { textContains, episodeType, tag, tags, after, limit, scanLimit } = query;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(scanLimit === undefined ? {} : { scan_limit: scanLimit }),
    ...(tags === undefined ? {} : { tags }),
    after: after ?? null,
    text_contains: textContains ?? null,
    episode_type: episodeType ?? null,
    tag: tag ?? null,
  };
}

/** Returns a scope as query parameters, which have no null. */
export function parametersOf({ mission_id, ...rest }: ScopeInput) {
  return typeof mission_id === 'string' ? { ...rest, mission_id } : rest;
}

/** Returns the members that name a revision of a record. */
export function wireTarget(call: string, { recordId, expectedRevision }: RecordTarget) {
  requireArguments(call, {
    'target.recordId': recordId,
    'target.expectedRevision': expectedRevision,
  });
  return { record_id: recordId, expected_revision: expectedRevision };
}
