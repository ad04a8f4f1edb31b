/**
 * Ids: hyphenated UUIDs, returned in lower case.
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a value is a UUID in hyphenated form, in any letter case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && value.length === 36 && UUID.test(value);
}

/** A UUID of a request. A wrong form is an issue of shape. */
export function uuid() {
  return v.pipe(
    v.custom<string>(isUuid, 'a UUID with hyphens'),
    v.transform((value) => value.toLowerCase()),
    describedAs({ type: 'string', format: 'uuid' }),
  );
}
