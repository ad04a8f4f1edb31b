/** Times as RFC 3339 writes them. Browsers read them with this too. */

const TIME =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

const MINUTE_MS = 60_000;
const MILLIS_DIGITS = 3;

/**
 * Returns the Unix milliseconds of a time with a zone, or `undefined` for every other text, such as
 * a day that its month doesn't have. A fraction of a millisecond is dropped, or counts as one more
 * where `rounding` is `up`.
 */
export function rfc3339Millis(text: string, rounding: 'down' | 'up' = 'down'): number | undefined {
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
