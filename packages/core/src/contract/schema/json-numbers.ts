/** Refuses JSON texts with numbers that no double holds, and names the member. */
import { inexactNumber, replaceInexactNumbers } from '../texts/exact-numbers.js';
import { assertLevel, EXACT_NUMBER, InvalidJsonError, type JsonValue } from './json-value.js';
import { pathTo } from './refused-member.js';

/**
 * Refuses a number that would be stored as another one, such as 9007199254740993 or 1e400. A value
 * that a later duplicate replaces has to follow the rule too.
 *
 * @param text - A text that `JSON.parse` has accepted.
 * @throws {InvalidJsonError} with the member.
 */
export function refuseInexactNumbers(text: string): void {
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
