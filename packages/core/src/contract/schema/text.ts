/**
 * Schemas of texts.
 *
 * Bounded text: ids, references and free text of learning, tools and experiences
 * (docs/contract/learning.md).
 *
 * Free maps from text to text. A repeated member is allowed and the last one wins.
 */
import * as v from 'valibot';
import { ID_BYTES_MAX, REFERENCE_BYTES_MAX, TEXT_BYTES_MAX } from '../limits.js';
import { DUPLICATE_MARK } from './json-duplicates.js';
import { describedAs } from './json-schema.js';
import { isJsonObject } from './json-value.js';
import { withCommas } from './number.js';

const CONTROL = /\p{Cc}/u;
const NOT_BLANK = /\P{White_Space}/u;

/** Whether a text is not blank and has at most `bytesMax` UTF-8 bytes. */
function isTextWithin(text: string, bytesMax: number): boolean {
  // A UTF-16 unit takes at most 3 bytes, so short texts need no counting.
  if (text.length > bytesMax / 3 && utf8Bytes(text) > bytesMax) return false;
  return NOT_BLANK.test(text);
}

/**
 * Whether a text is not blank, free of control characters and of 1 to `bytesMax` UTF-8 bytes, by
 * default 256.
 */
export function followsTextRule(text: string, bytesMax: number = TEXT_BYTES_MAX): boolean {
  return isTextWithin(text, bytesMax) && !CONTROL.test(text);
}

/** Whether a value follows the text rule, for values that no schema has checked. */
export function isTextId(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && followsTextRule(value);
}

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

const ruleWithin = (bytesMax: number): string =>
  `1 to ${bytesMax} UTF-8 bytes, not blank, without control characters`;

/** The text rule in words. */
export const TEXT_RULE = ruleWithin(TEXT_BYTES_MAX);

/**
 * A string under the text rule, by default of at most 256 UTF-8 bytes. It is opaque: never trimmed,
 * folded or normalised.
 */
export function textId(bytesMax: number = TEXT_BYTES_MAX) {
  return v.pipe(
    v.string(),
    v.check((text) => followsTextRule(text, bytesMax), ruleWithin(bytesMax)),
    describedAs({
      type: 'string',
      minLength: 1,
      maxLength: bytesMax,
      description: `1 to ${bytesMax} UTF-8 bytes, not blank, no control characters; compared exactly.`,
    }),
  );
}

/**
 * A string of at most so many UTF-8 bytes that is not blank. It is opaque: control characters are
 * fine, and it is never trimmed, folded or normalised.
 */
export function textOf(bytesMax: number) {
  return v.pipe(
    v.string(),
    v.check((text) => isTextWithin(text, bytesMax), `1 to ${bytesMax} UTF-8 bytes, not blank`),
    describedAs({
      type: 'string',
      minLength: 1,
      maxLength: bytesMax,
      description: `At most ${withCommas(bytesMax)} UTF-8 bytes, not blank; compared exactly.`,
    }),
  );
}

/** A SHA-256 digest as documents carry it: 64 lower-case hexadecimal digits, without a prefix. */
export function hexDigest() {
  const pattern = '^[0-9a-f]{64}$';
  return v.pipe(
    v.string(),
    v.regex(new RegExp(pattern), '64 lower-case hexadecimal digits'),
    describedAs({ type: 'string', pattern }),
  );
}

/** Bounds of a map. */
interface TextMapBounds {
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
  if (!isJsonObject(value)) return false;
  return Object.entries(value).every(
    ([name, text]) => typeof text === 'string' || (name === DUPLICATE_MARK && text === true),
  );
}

/** An id that the caller makes; unique within its scope. */
export const ledgerId = textOf(ID_BYTES_MAX);

/** A reference to something outside. The service never fetches it. */
export const reference = textOf(REFERENCE_BYTES_MAX);
