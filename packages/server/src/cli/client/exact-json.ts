/** Reads JSON without changing its numbers. */
import { replaceInexactNumbers } from '@agentkeep/core/operator';

const MARK = '\u{e000}inexact:';

/** A number that no double holds, instead of what it would become. */
class InexactNumber {
  constructor(readonly written: string) {}
}

/**
 * Returns the value of a JSON text. A number that would change is an object that
 * {@link refuseInexact} finds, so that only what contains it is refused.
 * @throws {SyntaxError} for a text that isn't JSON.
 */
export function parseExactly(text: string): unknown {
  const marked = replaceInexactNumbers(text, (number) => JSON.stringify(MARK + number));
  if (marked === text) return JSON.parse(text);
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === 'string' && value.startsWith(MARK)
      ? new InexactNumber(value.slice(MARK.length))
      : value,
  );
}

/**
 * Refuses a value with a number that would change.
 * @throws {TypeError} with the number.
 */
export function refuseInexact(value: unknown): void {
  if (value instanceof InexactNumber) {
    throw new TypeError(`The number ${value.written} would change. Write it in quotes, as a text.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const each of Object.values(value)) refuseInexact(each);
}

/**
 * Returns the value of a JSON text.
 * @throws {SyntaxError} for a text that isn't JSON; `TypeError` for a number that would change.
 */
export function exactValue(text: string): unknown {
  const value = parseExactly(text);
  refuseInexact(value);
  return value;
}
