/**
 * One text for all spellings of a JSON value.
 */
import { finite, InvalidJsonError, type JsonValue } from './json-value.js';

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
