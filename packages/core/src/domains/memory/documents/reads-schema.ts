/** Schemas of who read a record (docs/contract/history.md#his-41). */
import * as v from 'valibot';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
  READ_DAYS_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import {
  answeredVersion,
  boundedInteger,
  contractVersion,
  integer,
} from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { Scope, Visibility } from '../../../kernel/access/scope.js';

/** The query parameters of a list of readers. */
export const ReadersParameters = closed({
  contract_version: contractVersion(),
  project_id: textId(),
  mission_id: v.optional(textId()),
  agent_id: textId(),
  visibility: Visibility,
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

export type ReadersParameters = v.InferOutput<typeof ReadersParameters>;

/** The reads of a record by one reader. */
export const MemoryReader = v.pipe(
  closed({
    /** Who read it: a service that acted for somebody, else the subject of the credential. */
    subject_id: v.string(),
    /** On all days that are kept. */
    reads: integer(1),
    last_at_millis: integer(),
    /** Days with reads in UTC, the latest first. */
    days: v.pipe(
      v.array(closed({ date: v.string(), reads: integer(1) })),
      v.maxLength(READ_DAYS_MAX),
    ),
  }),
  named('MemoryReader'),
);
export type MemoryReader = v.InferOutput<typeof MemoryReader>;

/** One page of the readers of a record, in the order of their ids. */
export const ReadersPage = v.pipe(
  closed({
    /** Days, with today, of which reads are kept; 0 where reads are not counted. */
    read_days: integer(0, READ_DAYS_MAX),
    items: v.pipe(v.array(MemoryReader), v.maxLength(DIRECTORY_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('MemoryReadersPage'),
);
export type ReadersPage = v.InferOutput<typeof ReadersPage>;

/** The answer to a list of readers. */
export const ReadersResponse = v.pipe(
  closed({ contract_version: answeredVersion, scope: Scope, page: ReadersPage }),
  named('MemoryReadersResponse'),
);
