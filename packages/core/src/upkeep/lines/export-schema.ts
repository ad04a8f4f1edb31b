/** Schemas of the documents of exports (docs/contract/exports.md). */
import * as v from 'valibot';
import { Scope } from '../../kernel/access/scope.js';
import { CURSOR_CHARS_MAX } from '../../contract/limits.js';
import { closed, orNull } from '../../contract/schema/document.js';
import { named } from '../../contract/schema/json-schema.js';
import { answeredVersion, contractVersion } from '../../contract/schema/number.js';
import { textId } from '../../contract/schema/text.js';

/** What an export has: all of a tenant, the private scopes of a subject, or one scope. */
export const Exported = v.pipe(
  v.variant('type', [
    closed({ type: v.literal('tenant') }),
    closed({ type: v.literal('subject'), subject_id: textId() }),
    closed({
      type: v.literal('scope'),
      scope: Scope,
      /** Whose private scope; null for that of the caller. */
      subject_id: orNull(textId()),
    }),
  ]),
  named('Exported'),
);
export type Exported = v.InferOutput<typeof Exported>;

/** The body of `exportMemory`. */
export const ExportRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    of: Exported,
    /** Whether superseded revisions and deleted records are part of it. */
    with_history: v.optional(v.boolean(), false),
    after: orNull(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  }),
  named('ExportRequest'),
);
export type ExportRequest = v.InferOutput<typeof ExportRequest>;

/** A part of an export. */
const ExportPage = v.pipe(
  closed({
    /** Complete lines of JSON, each with its line feed. */
    text: v.string(),
    /** Null at the end. */
    next_after: v.nullable(v.string()),
  }),
  named('ExportPage'),
);

/** The answer of `exportMemory`. */
export const ExportResponse = v.pipe(
  closed({ contract_version: answeredVersion, page: ExportPage }),
  named('ExportResponse'),
);
