/** JSON values, one text for all spellings of a value, and the error for anything else. */
import type { RefusedMember } from '../errors/agentkeep-error.js';

/** Deepest level of nesting; the outermost value is at level 1. */
export const JSON_DEPTH_MAX = 64;

/** What is expected of a number in a JSON value. */
export const EXACT_NUMBER = 'a finite number that a double holds; write larger integers as texts';

const NOT_SO_DEEP: RefusedMember = {
  path: '',
  expected: `at most ${JSON_DEPTH_MAX} levels of objects and arrays`,
};

/** A value that JSON can write: every number finite, every string well-formed Unicode. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

/** An object of JSON values. All members are own properties, `__proto__` too. */
export interface JsonObject {
  [member: string]: JsonValue;
}

/** Returns whether a value is an object that is neither null nor an array. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text or value isn't strict JSON. The message never quotes the input. */
export class InvalidJsonError extends Error {
  override readonly name = 'InvalidJsonError';
  /** Whether the value is larger than a request may be. */
  readonly isTooLarge: boolean;
  /** The member at fault, where it is known. */
  readonly member: RefusedMember | undefined;

  constructor(message: string, known: { isTooLarge?: boolean; member?: RefusedMember } = {}) {
    super(message);
    this.isTooLarge = known.isTooLarge ?? false;
    this.member = known.member;
  }
}

/**
 * Returns a number unchanged.
 * @throws {InvalidJsonError} When it is not finite.
 */
export function finite(number: number): number {
  if (Number.isFinite(number)) return number;
  throw new InvalidJsonError('A number is not finite as a double.');
}

/**
 * Returns a string unchanged.
 * @throws {InvalidJsonError} When it holds a lone surrogate.
 */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  throw new InvalidJsonError('A string holds a lone surrogate.');
}

/**
 * Checks the depth of nesting.
 * @throws {InvalidJsonError} When an object or array at this level is nested too deep.
 */
export function assertLevel(level: number): void {
  if (level <= JSON_DEPTH_MAX) return;
  throw new InvalidJsonError('A value is nested too deep.', { member: NOT_SO_DEEP });
}

/** Sets a member as an own property, whatever its name. The last value wins. */
export function setMember(object: JsonObject, name: string, value: JsonValue): void {
  if (name === '__proto__') {
    const attributes = { value, writable: true, enumerable: true, configurable: true };
    Object.defineProperty(object, name, attributes);
  } else {
    object[name] = value;
  }
}

/**
 * Writes a value in the canonical form of RFC 8785 (JCS): members sorted by the UTF-16 code units
 * of their names at every level, no white space, numbers and strings as `JSON.stringify` writes
 * them, so that -0 is 0. Two values have one canonical text exactly when they are equal as JSON.
 *
 * @param value - A value as `parseJson` or `assertJson` gave it.
 * @throws {InvalidJsonError} When it holds something that JSON can't write.
 */
export function canonicalJson(value: JsonValue): string {
  return textOf(value);
}

function textOf(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return String(finite(value));
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
      return objectText(value as Readonly<Record<string, unknown>>);
    case 'undefined':
    case 'bigint':
    case 'symbol':
    case 'function':
      throw new InvalidJsonError('A value is none that JSON can write.');
  }
}

function objectText(object: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(object).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${textOf(object[name])}`).join(',')}}`;
}
