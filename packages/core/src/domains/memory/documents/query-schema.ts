/** Schemas of the documents of `queryMemory` (docs/contract/memory.md#mem-62). */
import * as v from 'valibot';
import { MemoryScope } from '../../../kernel/access/scope.js';
import {
  QUERY_LIMIT_DEFAULT,
  QUERY_LIMIT_MAX,
  QUERY_SCAN_LIMIT_MAX,
  QUERY_TAGS_MAX,
} from '../../../contract/limits.js';
import { closed, orNull } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { AsOf } from './as-of-schema.js';
import { DerivedFilter, RecordSource } from './lineage-schema.js';
import { EpisodeType, MemoryRecord } from './schema.js';

/** The filter of a query. A record must match all members. */
export const QueryFilter = v.pipe(
  closed({
    limit: v.optional(boundedInteger(1, QUERY_LIMIT_MAX, 0), QUERY_LIMIT_DEFAULT),
    scan_limit: v.optional(boundedInteger(1, QUERY_SCAN_LIMIT_MAX, 0), QUERY_SCAN_LIMIT_MAX),
    after: orNull(uuid()),
    text_contains: orNull(v.string()),
    episode_type: orNull(EpisodeType),
    tag: orNull(v.string()),
    tags: v.optional(v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(QUERY_TAGS_MAX))),
    source: orNull(RecordSource),
    derived_from: orNull(DerivedFilter),
  }),
  named('QueryFilter'),
);
export type QueryFilter = v.InferOutput<typeof QueryFilter>;

/** The body of a query. */
export const QueryRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: MemoryScope,
    filter: orNull(QueryFilter),
    /** The state that is queried; null for the current one. */
    as_of: orNull(AsOf),
  }),
  v.check(
    ({ scope, as_of }) => scope.branch === undefined || as_of === null,
    'a branch or as_of, not both',
  ),
  named('QueryRequest'),
);
/** The filter that matches every record. */
export const defaultFilter: QueryFilter = v.parse(QueryFilter, {});

/** One page of a query. */
export const QueryPage = v.pipe(
  closed({
    records: v.pipe(v.array(MemoryRecord), v.maxLength(QUERY_LIMIT_MAX)),
    next_after: v.nullable(uuid()),
    scanned_records: integer(0, QUERY_SCAN_LIMIT_MAX),
    /** Records that are left out since nothing is kept of them, if `as_of` says `left_out`. */
    missing_records: v.optional(integer()),
  }),
  named('QueryPage'),
);
export type QueryPage = v.InferOutput<typeof QueryPage>;

/** The answer to a query. */
export const QueryResponse = v.pipe(
  closed({ contract_version: answeredVersion, scope: MemoryScope, page: QueryPage }),
  named('QueryResponse'),
);
