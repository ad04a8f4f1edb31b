/** Schema of the time or position that a read is about (docs/contract/as-of.md). */
import * as v from 'valibot';
import { CHANGE_CURSOR_CHARS } from '../../../contract/limits.js';
import { closed } from '../../../contract/schema/document.js';
import { named } from '../../../contract/schema/json-schema.js';
import { integer } from '../../../contract/schema/number.js';

/** A position of the change feed, as a cursor of it. */
const cursor = () => v.pipe(v.string(), v.length(CHANGE_CURSOR_CHARS));

/** What a query or search does about records whose revision of then is no longer kept. */
const missing = () => v.optional(v.picklist(['refused', 'left_out']));

/** A state that memory had: at a time, or at a position of the change feed. */
export const AsOf = v.pipe(
  v.union(
    [
      closed({ millis: integer(), missing: missing() }),
      closed({ cursor: cursor(), missing: missing() }),
    ],
    '{"millis": <time>} or {"cursor": "<cursor of the change feed>"}, each with "missing" or not',
  ),
  named('AsOf'),
);
export type AsOf = v.InferOutput<typeof AsOf>;

/** The query parameters that name a state. */
export const asOfMembers = {
  /** Unix milliseconds. */
  as_of_millis: v.optional(integer()),
  /** A cursor of the change feed. */
  as_of_cursor: v.optional(cursor()),
};

/** Returns the state that query parameters name, if they name one. */
export function asOfIn(parameters: {
  readonly as_of_millis?: number | undefined;
  readonly as_of_cursor?: string | undefined;
}): AsOf | undefined {
  const { as_of_millis: millis, as_of_cursor: position } = parameters;
  if (position !== undefined) return { cursor: position };
  return millis === undefined ? undefined : { millis };
}
