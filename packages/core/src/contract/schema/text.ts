/**
 * The text rule for ids, subjects and scope members (docs/contract/conventions.md#con-141).
 */
import * as v from 'valibot';
import { TEXT_BYTES_MAX } from '../limits.js';
import { describedAs } from './json-schema.js';

const CONTROL = /\p{Cc}/u;
const NOT_BLANK = /\P{White_Space}/u;

/** Whether a text is not blank and has at most `bytesMax` UTF-8 bytes. */
export function isTextWithin(text: string, bytesMax: number): boolean {
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
