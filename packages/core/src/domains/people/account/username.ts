/**
 * Usernames (docs/contract/users.md#usr-54), in the manner of UsernameCasePreserved of RFC 8265:
 * each name has one spelling, in which every character is seen. Names are normalised as its section
 * 3.4 says, but by NFKC, which also takes full-width forms, ligatures and other compatibility forms
 * to one spelling. Unlike there, symbols are allowed and the Bidi Rule is not applied. Pure.
 */
import { TEXT_BYTES_MAX } from '../../../contract/limits.js';
import { followsTextRule, utf8Bytes } from '../../../contract/schema/text.js';
import { hasUnseen } from '../../../contract/schema/unseen.js';

/** Most bytes that are normalised. No other spelling of a name of 256 bytes is longer. */
export const SPELLED_BYTES_MAX = 4 * TEXT_BYTES_MAX;

/** After NFKC there are few spaces beside U+0020. Pages show several as one. */
const WRONG_SPACE = /^ | $| {2}|(?! )\p{Z}/u;

/** The rule in words. */
export const USERNAME_RULE =
  `1 to ${TEXT_BYTES_MAX} UTF-8 bytes in NFKC, without invisible characters, with single spaces ` +
  'inside only';

/** Returns the one spelling of a name. What can be no name stays as it is. */
export function normalUsername(text: string): string {
  return utf8Bytes(text) > SPELLED_BYTES_MAX ? text : text.normalize('NFKC');
}

/** Returns whether a text in its one spelling is a username. */
export function isUsername(text: string): boolean {
  return followsTextRule(text) && !hasUnseen(text) && !WRONG_SPACE.test(text);
}

/** Returns a username in its one spelling; `undefined` for what is none. */
export function usernameOf(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const username = normalUsername(text);
  return isUsername(username) ? username : undefined;
}
