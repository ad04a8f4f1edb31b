/** Reads flags whose values are times, numbers or JSON. */
import { rfc3339Millis } from '@agentkeep/core/operator';
import { exactValue } from './exact-json.js';
import { UsageError } from '../command/usage-error.js';

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Returns Unix milliseconds; a day is its first moment in UTC.
 * @throws {UsageError} for a text that is neither a time nor Unix milliseconds.
 */
export function timeOf(text: string, origin: string): number {
  if (/^-?\d+$/.test(text)) return Number(text);
  const millis = rfc3339Millis(DAY.test(text) ? `${text}T00:00:00Z` : text);
  if (millis !== undefined) return millis;
  throw new UsageError(
    `${origin}: ${JSON.stringify(text)} is not a time. Write 2026-01-31T12:00:00Z or Unix milliseconds.`,
  );
}

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
