/** Reads flags whose values are numbers or JSON. */
import { exactValue } from './exact-json.js';
import { UsageError } from '../command/usage-error.js';

/**
 * Returns a number.
 * @throws {UsageError} for any other text.
 */
export function numberOf(text: string, origin: string): number {
  const number = Number(text);
  if (text.trim() !== '' && Number.isFinite(number)) return number;
  throw new UsageError(`${origin}: ${JSON.stringify(text)} is not a number.`);
}

/**
 * Returns the value of a JSON text.
 * @throws {UsageError} for a text that is not JSON, or has a number that would change.
 */
export function jsonOf(text: string, origin: string): unknown {
  try {
    return exactValue(text);
  } catch (cause) {
    if (cause instanceof TypeError) throw new UsageError(`${origin}: ${cause.message}`, { cause });
    throw new UsageError(`${origin} is not JSON: ${String(cause)}.`, { cause });
  }
}
