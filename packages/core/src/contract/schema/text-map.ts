/** Free maps from text to text. A repeated member is allowed and the last one wins. */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';
import { DUPLICATE_MARK } from './json-duplicates.js';
import { isTextWithin } from './text.js';

/** Bounds of a map. */
export interface TextMapBounds {
  readonly entriesMax: number;
  /** Most UTF-8 bytes of a key, and of a value. */
  readonly bytesMax: number;
}

/** An object of bounded size, whose names and values are bounded text and not blank. */
export function textMap({ entriesMax, bytesMax }: TextMapBounds) {
  const text = { type: 'string', minLength: 1, maxLength: bytesMax };
  return v.pipe(
    v.custom<Record<string, string>>(isTextMap, 'an object with texts as members'),
    v.check((map) => {
      const entries = Object.entries(map);
      // A forged mark is refused here, because the final value is checked without marks.
      const isWithin = (each: unknown): boolean =>
        typeof each === 'string' && isTextWithin(each, bytesMax);
      return entries.length <= entriesMax && entries.flat().every(isWithin);
    }, `at most ${entriesMax} members, names and values of 1 to ${bytesMax} UTF-8 bytes and not blank`),
    describedAs({
      type: 'object',
      maxProperties: entriesMax,
      propertyNames: text,
      additionalProperties: text,
    }),
  );
}

/** The mark of repeated members isn't a member, so it may have any value. */
function isTextMap(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => typeof text === 'string' || (name === DUPLICATE_MARK && text === true),
  );
}
