/**
 * Shared pieces of documents: closed objects, members that may be left out, free-form JSON.
 * @module
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';
import type { JsonObject, JsonValue } from './json.js';

/** An object that accepts no other members. */
export const closed = v.strictObject;

/** A nullable member: left out means null, and an answer always shows it. */
export function orNull<const S extends v.GenericSchema>(schema: S) {
  return v.nullish(schema, null);
}

/** Any JSON value. */
export function jsonValue() {
  return v.pipe(
    v.custom<JsonValue>((value) => value !== undefined, 'json'),
    describedAs({}),
  );
}

/** Any JSON object. */
export function jsonObject() {
  return v.pipe(v.custom<JsonObject>(isJsonObject, 'json_object'), describedAs({ type: 'object' }));
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
