/** Reads flags whose values are times. */
import { rfc3339Millis } from '@agentkeep/core/operator';
import { UsageError } from './usage-error.js';

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
