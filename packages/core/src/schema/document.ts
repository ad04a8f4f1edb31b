/**
 * Shared pieces of documents: closed objects, members that may be left out, free-form JSON.
 * @module
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';

/** An object that accepts no other members. */
export const closed = v.strictObject;

/** A nullable member: left out means null, and an answer always shows it. */
export function orNull<const S extends v.GenericSchema>(schema: S) {
  return v.nullish(schema, null);
}

/** Any JSON value. By then it is known to be JSON; callers see it as `unknown`. */
export function jsonValue() {
  return v.pipe(
    v.custom<unknown>((value) => value !== undefined, 'json'),
    describedAs({}),
  );
}

/** Any JSON object. */
export function jsonObject() {
  return v.pipe(
    v.custom<Record<string, unknown>>(isObject, 'json_object'),
    describedAs({ type: 'object' }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
