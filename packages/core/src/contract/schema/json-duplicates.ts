/**
 * A slow, exact reader for the rare JSON text that names a member twice in one object.
 */
import {
  assertLevel,
  type JsonObject,
  type JsonValue,
  setMember,
  wellFormed,
} from './json-value.js';

/** Name of the member that marks an object with a duplicate member. */
export const DUPLICATE_MARK = '\0duplicate';

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const CLOSING_BRACE = 0x7d;

/**
 * Reads a JSON text and marks each object with a duplicate member; otherwise the last member wins.
 * Values that a later duplicate replaces must follow the rules too.
 *
 * @param text - A text that `JSON.parse` has accepted; syntax and numbers aren't checked again.
 * @throws {InvalidJsonError} When a value is too deep, or holds a bad string.
 */
export function markDuplicates(text: string): JsonValue {
  return new Reader(text).readValue(1);
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readValue(level: number): JsonValue {
    switch (this.#next()) {
      case '{':
        return this.#readObject(level);
      case '[':
        return this.#readArray(level);
      case '"':
        return this.#readString();
      case 't':
        return this.#skip(true, 'true');
      case 'f':
        return this.#skip(false, 'false');
      case 'n':
        return this.#skip(null, 'null');
      default:
        return this.#readNumber();
    }
  }

  #readObject(level: number): JsonObject {
    assertLevel(level);
    const object: JsonObject = {};
    let hasDuplicate = false;
    this.#at += 1;
    while (this.#next() !== '}') {
      const name = this.#readString();
      this.#next();
      this.#at += 1;
      const value = this.readValue(level + 1);
      hasDuplicate ||= Object.hasOwn(object, name);
      setMember(object, name, value);
      if (this.#next() === ',') this.#at += 1;
    }
    this.#at += 1;
    if (hasDuplicate && !Object.hasOwn(object, DUPLICATE_MARK)) object[DUPLICATE_MARK] = true;
    return object;
  }

  #readArray(level: number): JsonValue[] {
    assertLevel(level);
    const array: JsonValue[] = [];
    this.#at += 1;
    while (this.#next() !== ']') {
      array.push(this.readValue(level + 1));
      if (this.#next() === ',') this.#at += 1;
    }
    this.#at += 1;
    return array;
  }

  #readString(): string {
    const start = this.#at;
    let hasEscape = false;
    let end = start + 1;
    for (; this.#text.charCodeAt(end) !== QUOTE; end += 1) {
      if (this.#text.charCodeAt(end) !== BACKSLASH) continue;
      hasEscape = true;
      end += 1;
    }
    this.#at = end + 1;
    if (!hasEscape) return this.#text.slice(start + 1, end);
    return wellFormed(JSON.parse(this.#text.slice(start, this.#at)) as string);
  }

  #readNumber(): number {
    const start = this.#at;
    while (!endsNumber(this.#text.charCodeAt(this.#at))) this.#at += 1;
    return Number(this.#text.slice(start, this.#at));
  }

  /** Skips a literal and returns its value. */
  #skip<T>(value: T, literal: string): T {
    this.#at += literal.length;
    return value;
  }

  /** Skips white space and returns the next character. */
  #next(): string {
    while (this.#text.charCodeAt(this.#at) <= SPACE) this.#at += 1;
    return this.#text.charAt(this.#at);
  }
}

/** Whether a character, or the end of the text, ends a number. */
function endsNumber(code: number): boolean {
  if (code === COMMA || code === CLOSING_BRACKET || code === CLOSING_BRACE) return true;
  return code <= SPACE || Number.isNaN(code);
}
