/** Times as fields and addresses of the console write them; any other text is no time. */

/** A field has the time of the browser's zone, without a zone; an address may name one. */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:(Z)|([+-])(\d\d):(\d\d))?$/;

const MINUTE_MS = 60_000;

/**
 * Returns the Unix milliseconds of a time, in the zone of the browser if it names none, or
 * `undefined` for every other text, such as a day that its month doesn't have.
 */
export function millisOfTime(text: string): number | undefined {
  const match = TIME.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part: string | undefined) => Number(part ?? 0));
  const millis = Number((match[7] ?? '').padEnd(3, '0'));
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, day);
  // A day that the month doesn't have became a day of the next month.
  if (utc.getUTCMonth() !== month - 1 || utc.getUTCDate() !== day) return undefined;
  if (match[8] === undefined && match[9] === undefined) {
    const local = new Date(0);
    local.setFullYear(year, month - 1, day);
    return local.setHours(hour, minute, second, millis);
  }
  const [hours, minutes] = [Number(match[10] ?? 0), Number(match[11] ?? 0)];
  if (hours > 23 || minutes > 59) return undefined;
  const shift = (hours * 60 + minutes) * MINUTE_MS * (match[9] === '-' ? 1 : -1);
  return utc.setUTCHours(hour, minute, second, millis) + shift;
}

/** Returns the name of the zone whose times fields take, such as `Europe/Berlin`. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
