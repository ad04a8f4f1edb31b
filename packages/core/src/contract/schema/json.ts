/** Reads JSON texts. */
import { inexactNumber, replaceInexactNumbers } from '../texts/exact-numbers.js';
import { markDuplicates } from './json-duplicates.js';
import {
  assertLevel,
  EXACT_NUMBER,
  InvalidJsonError,
  type JsonValue,
  wellFormed,
} from './json-value.js';
import { pathTo } from './refused-member.js';

export { assertJson } from './json-assert.js';

export { canonicalJson } from './json-value.js';

export { DUPLICATE_MARK } from './json-duplicates.js';

export { InvalidJsonError, JSON_DEPTH_MAX, type JsonValue } from './json-value.js';

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_E = 0x65;
const CAPITAL_E = 0x45;
const ZERO = 0x30;
const NINE = 0x39;
const POINT = 0x2e;

/** Every integer of so many digits is a double. */
const EXACT_DIGITS = 15;

/** Keeps a byte order mark in the text, so that JSON's syntax refuses it. */
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The result of reading a JSON text. */
export interface ParsedJson {
  /** The value. Of members with the same name in one object, the last wins. */
  readonly value: JsonValue;
  /**
   * Present only when an object names a member twice: the same value, with a member
   * `DUPLICATE_MARK` added to each such object. Check it against the schema too, then use `value`:
   * a closed object refuses the mark, a free-form object lets it pass.
   */
  readonly withDuplicatesMarked?: JsonValue;
}

/** Counts found by one pass over the bytes, without parsing. */
interface Outline {
  readonly members: number;
  readonly escapesUnicode: boolean;
  /** Whether a number has a power of ten, or more than 15 digits before its point. */
  readonly hasLongNumber: boolean;
}

/**
 * Reads a JSON text (RFC 8259) strictly: valid UTF-8 without a byte order mark, one value, at most
 * `JSON_DEPTH_MAX` levels, well-formed strings and member names, numbers that doubles hold.
 * Members such as `__proto__` become ordinary properties.
 * @throws {InvalidJsonError} When the bytes are anything else.
 */
export function parseJson(bytes: Uint8Array): ParsedJson {
  const text = decode(bytes);
  const value = parseText(text);
  const outline = outlineOf(bytes);
  if (outline.hasLongNumber) refuseInexactNumbers(text);
  // A value that a duplicate replaced is gone, so count what is left.
  if (countMembers(value, 1, outline.escapesUnicode) === outline.members) return { value };
  return { value, withDuplicatesMarked: markDuplicates(text) };
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new InvalidJsonError('The text is not valid UTF-8.');
  }
}

function parseText(text: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    throw new InvalidJsonError('The text is not one JSON value.');
  }
}

/** Counts the colons outside strings, one for each member, and the digits of each integer part. */
function outlineOf(bytes: Uint8Array): Outline {
  let members = 0;
  let escapesUnicode = false;
  let hasLongNumber = false;
  let digits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    if (byte >= ZERO && byte <= NINE) {
      digits += 1;
      hasLongNumber ||= digits > EXACT_DIGITS;
      continue;
    }
    if (byte === POINT) digits = Number.NEGATIVE_INFINITY;
    else {
      // The letter is a part of true and false too, which have no digits before it.
      if (digits !== 0 && (byte === LETTER_E || byte === CAPITAL_E)) hasLongNumber = true;
      digits = 0;
    }
    if (byte === COLON) members += 1;
    if (byte !== QUOTE) continue;
    for (at += 1; at < bytes.length && bytes[at] !== QUOTE; at += 1) {
      if (bytes[at] !== BACKSLASH) continue;
      at += 1;
      escapesUnicode ||= bytes[at] === LETTER_U;
    }
  }
  return { members, escapesUnicode, hasLongNumber };
}

/** Counts the remaining members and checks depth and, where needed, strings. */
function countMembers(value: JsonValue, level: number, checksText: boolean): number {
  if (typeof value === 'string' && checksText) wellFormed(value);
  if (typeof value !== 'object' || value === null) return 0;
  assertLevel(level);
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) count += countMembers(element, level + 1, checksText);
    return count;
  }
  const names = Object.keys(value);
  for (const name of names) {
    if (checksText) wellFormed(name);
    count += countMembers(value[name] ?? null, level + 1, checksText);
  }
  return count + names.length;
}

/**
 * Refuses a number that would be stored as another one, such as 9007199254740993 or 1e400. A value
 * that a later duplicate replaces has to follow the rule too.
 *
 * @param text - A text that `JSON.parse` has accepted.
 * @throws {InvalidJsonError} with the member.
 */
function refuseInexactNumbers(text: string): void {
  if (inexactNumber(text) === undefined) return;
  const value = JSON.parse(replaceInexactNumbers(text)) as JsonValue;
  const member = { path: pathTo(value, keysOfInfinity(value, 1) ?? []), expected: EXACT_NUMBER };
  throw new InvalidJsonError('A number is none that a double holds.', { member });
}

/** Returns the names and indexes that lead to the first number that is infinite. */
function keysOfInfinity(value: JsonValue, level: number): string[] | undefined {
  if (value === Infinity) return [];
  if (typeof value !== 'object' || value === null) return undefined;
  assertLevel(level);
  for (const [key, child] of Object.entries(value)) {
    const keys = keysOfInfinity(child, level + 1);
    if (keys !== undefined) return [key, ...keys];
  }
  return undefined;
}
