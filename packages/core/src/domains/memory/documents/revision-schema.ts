/** Schemas of the revisions of a record (docs/contract/history.md#his-6). */
import * as v from 'valibot';
import { Scope } from '../../../kernel/access/scope.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
} from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { answeredVersion, boundedInteger, integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { Author } from './author-schema.js';
import { readMembers, RecordName, ShownPayload } from './schema.js';

/** The query parameters of a list of revisions. */
export const RevisionsParameters = closed({
  ...readMembers,
  limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
  cursor: v.optional(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
});

/** A revision of a record. */
export const MemoryRevision = v.pipe(
  closed({
    revision: integer(1),
    /** Absent for a record without a name. */
    name: v.optional(RecordName),
    modified_at_millis: integer(),
    /** When the next revision was made; null for the current one. */
    superseded_at_millis: v.nullable(integer()),
    author: Author,
    /** Who merged it from a branch; absent for others. */
    merged_by: v.optional(Author),
    /** Of the command or batch that made it; null for one of a release that kept none. */
    idempotency_key: v.nullable(textId()),
    /** Null for a deletion, and for a revision that was redacted. */
    payload: v.nullable(ShownPayload),
    /** Who took the payload away, and when; null unless somebody did. */
    redacted: v.nullable(
      v.pipe(closed({ at_millis: integer(), author: Author }), named('Redaction')),
    ),
  }),
  named('MemoryRevision'),
);
export type MemoryRevision = v.InferOutput<typeof MemoryRevision>;

/** One page of the revisions of a record, the newest first. */
export const RevisionsPage = v.pipe(
  closed({
    items: v.pipe(v.array(MemoryRevision), v.maxLength(DIRECTORY_LIMIT_MAX)),
    next_cursor: v.nullable(v.string()),
  }),
  named('RevisionsPage'),
);
export type RevisionsPage = v.InferOutput<typeof RevisionsPage>;

/** The answer to a list of revisions. */
export const RevisionsResponse = v.pipe(
  closed({ contract_version: answeredVersion, scope: Scope, page: RevisionsPage }),
  named('RevisionsResponse'),
);
