/** Times as fields and addresses of the console write them; any other text is no time. */
import { rfc3339Millis } from '@agentkeep/client';

/** A field has the time of the browser's zone, without a zone; an address may name one. */
const TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)?$/;

/**
 * Returns the Unix milliseconds of a time, in the zone of the browser if it names none, or
 * `undefined` for every other text, such as a day that its month doesn't have.
 */
export function millisOfTime(text: string): number | undefined {
  const [, minute, second = ':00', zone] = TIME.exec(text) ?? [];
  const millis = rfc3339Millis(`${minute}${second}${zone ?? 'Z'}`);
  if (millis === undefined || zone !== undefined) return millis;
  const written = new Date(millis);
  const local = new Date(0);
  local.setFullYear(written.getUTCFullYear(), written.getUTCMonth(), written.getUTCDate());
  const [hour, minutes] = [written.getUTCHours(), written.getUTCMinutes()];
  return local.setHours(hour, minutes, written.getUTCSeconds(), written.getUTCMilliseconds());
}

/** Returns the name of the zone whose times fields take, such as `Europe/Berlin`. */
export function localZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
