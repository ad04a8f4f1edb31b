/** Schemas of the documents of `traceMemoryDependents` (docs/contract/lineage.md#lin-17). */
import * as v from 'valibot';
import { MemoryScope, Scope } from '../../../kernel/access/scope.js';
import {
  CURSOR_CHARS_MAX,
  DIRECTORY_LIMIT_DEFAULT,
  DIRECTORY_LIMIT_MAX,
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

/** The body of `traceMemoryDependents`. */
export const TraceRequest = v.pipe(
  closed({
    contract_version: contractVersion(),
    scope: Scope,
    /** As in the receipt of the deletion or redaction. */
    revision: integer(1),
    limit: v.optional(boundedInteger(1, DIRECTORY_LIMIT_MAX), DIRECTORY_LIMIT_DEFAULT),
    cursor: orNull(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
  }),
  named('TraceRequest'),
);

/** A revision that was derived from the deleted or redacted one, directly or not. */
const Dependent = v.pipe(
  closed({
    scope: MemoryScope,
    record_id: uuid(),
    revision: integer(1),
    /** What the trace did with it. */
    outcome: v.picklist(['found', 'deleted', 'redacted', 'left']),
  }),
  named('Dependent'),
);
export type Dependent = v.InferOutput<typeof Dependent>;

/** The answer of `traceMemoryDependents`. */
export const TraceResponse = v.pipe(
  closed({
    contract_version: answeredVersion,
    scope: Scope,
    page: v.pipe(
      closed({
        /** While it is running, the page is empty: call again. */
        state: v.picklist(['running', 'finished']),
        dependents: v.pipe(v.array(Dependent), v.maxLength(DIRECTORY_LIMIT_MAX)),
        next_cursor: v.nullable(v.pipe(v.string(), v.maxLength(CURSOR_CHARS_MAX))),
      }),
      named('TracePage'),
    ),
  }),
  named('TraceResponse'),
);
/** One page of what a trace found. */
export type TracePage = v.InferOutput<typeof TraceResponse>['page'];
