/**
 * Times of the account surface: read as RFC 3339 with a zone, written in UTC with milliseconds.
 */
import * as v from 'valibot';
import { describedAs } from './json-schema.js';
import { rfc3339Millis } from '../texts/rfc3339.js';

/** Whether a text is an RFC 3339 time with a zone, on an existing day. */
export function isTimeText(text: string): boolean {
  return rfc3339Millis(text) !== undefined;
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
