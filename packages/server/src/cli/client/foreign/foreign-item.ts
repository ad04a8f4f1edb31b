/** What formats of other projects have in common: items that become records. */
import type { RecordInput } from '@agentkeep/client';

/** An item of another project's memory. */
export interface ForeignItem {
  /** The same for the same item of a later file, so that it is replaced; absent if it has none. */
  readonly name?: string;
  readonly record: RecordInput;
}

/** A JSON object, of which nothing is known. */
export type Members = Readonly<Record<string, unknown>>;

/** Longest name of a record, in UTF-8 bytes. */
const NAME_BYTES_MAX = 512;

/** Returns a value as an object; an empty one if it isn't any. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : {};
}

/** Returns the first of some values that is a text which isn't blank. */
export function textOf(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value.trim() !== '');
}

/** Returns a time as Unix milliseconds, from a date as text or a number of seconds or more. */
function millisOf(...values: readonly unknown[]): number | undefined {
  for (const value of values) {
    // Seconds until the year 5138, milliseconds from 1973 on.
    if (typeof value === 'number' && value > 0)
      return Math.round(value < 1e11 ? value * 1e3 : value);
    if (typeof value === 'string' && Number.isFinite(Date.parse(value))) return Date.parse(value);
  }
  return undefined;
}

/** Returns the member for a time of an event, if there is one. */
export function atTime(...values: readonly unknown[]): { event_time_millis?: number } {
  const millis = millisOf(...values);
  return millis === undefined ? {} : { event_time_millis: millis };
}

/**
 * Returns a name of a record from texts that identify an item.
 * @throws {TypeError} when it is too long.
 */
export function nameFrom(...parts: readonly string[]): string {
  const name = parts.map((part) => part.replaceAll(/\p{Cc}/gu, ' ')).join('/');
  if (Buffer.byteLength(name, 'utf8') > NAME_BYTES_MAX) {
    throw new TypeError(`The name ${name.slice(0, 40)}… is longer than 512 bytes.`);
  }
  return name;
}
