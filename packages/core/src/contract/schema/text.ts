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

/** Whether a text is 1 to 256 UTF-8 bytes, not blank and free of control characters. */
export function followsTextRule(text: string): boolean {
  return isTextWithin(text, TEXT_BYTES_MAX) && !CONTROL.test(text);
}

/** Whether a value follows the text rule, for values that no schema has checked. */
export function isTextId(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && followsTextRule(value);
}

/** Length of a text in UTF-8 bytes. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The text rule in words. */
export const TEXT_RULE = `1 to ${TEXT_BYTES_MAX} UTF-8 bytes, not blank, without control characters`;

/** A string under the text rule. It is opaque: never trimmed, folded or normalised. */
export function textId() {
  return v.pipe(
    v.string(),
    v.check(followsTextRule, TEXT_RULE),
    describedAs({
      type: 'string',
      minLength: 1,
      maxLength: TEXT_BYTES_MAX,
      description: '1 to 256 UTF-8 bytes, not blank, no control characters; compared exactly.',
    }),
  );
}
