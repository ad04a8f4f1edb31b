/**
 * Times of the account surface: read as RFC 3339 with a zone, written in UTC with milliseconds.
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const MINUTE_MS = 60_000;
const MILLIS_DIGITS = 3;

/** Whether a text is an RFC 3339 time with a zone, on an existing day. */
export function isTimeText(text: string): boolean {
  return millisOf(text) !== undefined;
}

/**
 * Returns the Unix milliseconds of a time, or `undefined` when the text isn't one. A fraction of a
 * millisecond is dropped, or counts as one more where `rounding` is `up`.
 */
export function millisOf(text: string, rounding: 'down' | 'up' = 'down'): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [, ...parts] = match;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(0, 6)
    .map(Number);
  const fraction = parts[6] ?? '';
  const offset = { hours: Number(parts[8] ?? 0), minutes: Number(parts[9] ?? 0) };
  if (hour > 23 || minute > 59 || second > 59 || offset.hours > 23 || offset.minutes > 59) {
    return undefined;
  }
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // A day that the month doesn't have became a day of the next month.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  const millis = Number(fraction.slice(0, MILLIS_DIGITS).padEnd(MILLIS_DIGITS, '0'));
  const isFiner = /[1-9]/.test(fraction.slice(MILLIS_DIGITS));
  const shift = (offset.hours * 60 + offset.minutes) * MINUTE_MS * (parts[7] === '-' ? 1 : -1);
  const whole = date.setUTCHours(hour, minute, second, millis) + shift;
  return rounding === 'up' && isFiner ? whole + 1 : whole;
}

/** A time as answers show it: `2026-01-31T12:00:00.000Z`. */
export function timeText(millis: number): string {
  return new Date(millis).toISOString();
}

/** A time of an answer. It has a fixed length, so that text order is time order. */
export function shownTime() {
  return v.pipe(
    v.string(),
    describedAs({ type: 'string', format: 'date-time', pattern: '^.{10}T.{8}\\.\\d{3}Z$' }),
  );
}
