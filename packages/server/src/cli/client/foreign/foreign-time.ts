/** Times in files of other projects. */
import { rfc3339Millis } from '@agentkeep/core/operator';

/** A day, and perhaps a time of it and a zone, as programs write them. */
const WRITTEN = new RegExp(
  [
    /^(?<day>\d{4}-\d\d-\d\d)/,
    /(?:[Tt ](?<time>\d\d:\d\d)(?<second>:\d\d(?:\.\d+)?)?)?/,
    / ?(?<zone>[Zz]|[+-]\d\d:?\d\d)?$/,
  ]
    .map(({ source }) => source)
    .join(''),
);

/** Seconds until the year 5138; a larger number is of milliseconds, from 1973 on. */
const SECONDS_MAX = 1e11;

/**
 * Returns the Unix milliseconds of a time: a number of seconds or of milliseconds, also as text, or
 * a text as RFC 3339 has it. A day is its first moment, and a text without a zone is in UTC, so
 * that a file means the same on each machine.
 * @throws {TypeError} for anything else, with the name of the member.
 */
export function timeIn(member: string, value: unknown): number {
  const number =
    typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) {
    return Math.round(Math.abs(number) < SECONDS_MAX ? number * 1_000 : number);
  }
  const millis = typeof value === 'string' ? textMillis(value.trim()) : undefined;
  if (millis !== undefined) return millis;
  throw new TypeError(
    `${member}: ${JSON.stringify(value)} is not a time. Write 2026-01-31T12:00:00Z or Unix seconds.`,
  );
}

function textMillis(text: string): number | undefined {
  const { day, time = '00:00', second = ':00', zone = 'Z' } = WRITTEN.exec(text)?.groups ?? {};
  if (day === undefined) return undefined;
  const zoned = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone;
  return rfc3339Millis(`${day}T${time}${second}${zoned}`);
}

/** Returns the member for the time of an event: of the first value that there is. */
export function atTime(
  values: Readonly<Record<string, unknown>>,
): { readonly event_time_millis: number } | undefined {
  const given = Object.entries(values).find(([, value]) => value !== undefined && value !== null);
  return given === undefined ? undefined : { event_time_millis: timeIn(...given) };
}
