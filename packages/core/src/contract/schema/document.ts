/**
 * Shared parts of documents: closed objects, optional members, free-form JSON.
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';
import { isJsonObject } from './json-value.js';

/** An object that accepts no other members. Arrays are refused. */
export function closed<const E extends v.ObjectEntries>(
  entries: E,
): v.StrictObjectSchema<E, undefined> {
  const schema = v.strictObject(entries);
  const run = schema['~run'].bind(schema);
  return Object.assign(schema, {
    // Valibot takes an array for an object that has no required members.
    '~run': (dataset: v.UnknownDataset, config: v.Config<v.BaseIssue<unknown>>) =>
      run(Array.isArray(dataset.value) ? { value: null } : dataset, config),
  });
}

/** A nullable member: absent means null, and answers always show it. */
export function orNull<const S extends v.GenericSchema>(schema: S) {
  return v.nullish(schema, null);
}

/** Any JSON value. The reader has already checked that it is JSON. */
export function jsonValue() {
  return v.pipe(
    v.custom<unknown>((value) => value !== undefined, 'a JSON value'),
    describedAs({}),
  );
}

/** Any JSON object. */
export function jsonObject() {
  return v.pipe(
    v.custom<Record<string, unknown>>(isJsonObject, 'a JSON object'),
    describedAs({ type: 'object' }),
  );
}
