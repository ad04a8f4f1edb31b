/** Times and ages as people write them. */
import type { JSX } from 'preact';
import { texts } from '../texts/en/english.js';

const units = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

const zoned = {
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
  ...({ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const),
};

/** Returns a time as a text in the zone of the browser, which it names. */
export function timeText(millis: number): string {
  return new Intl.DateTimeFormat(formatLocale(), zoned).format(millis);
}

/** Returns the region of the browser if it has the language that is shown, for dates. */
function formatLocale(): string {
  const { locale } = texts;
  return navigator.languages.find((each) => each.split('-')[0] === locale) ?? locale;
}

/** Returns a span of time as a text such as "3 days". */
export function ageText(millis: number): string {
  return inLargest(millis, (seconds, size) => seconds >= size);
}

/** As {@link ageText}, in the largest unit that is exact, such as "90 minutes". */
export function spanText(millis: number): string {
  return inLargest(millis, (seconds, size) => seconds % size === 0);
}

function inLargest(millis: number, fits: (seconds: number, size: number) => boolean): string {
  const seconds = Math.max(0, Math.round(millis / 1_000));
  const [unit, size] = units.find(([, each]) => fits(seconds, each)) ?? (['second', 1] as const);
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(texts.locale, style).format(Math.floor(seconds / size));
}

/** Shows a time. */
export function Time({ millis }: { readonly millis: number }): JSX.Element {
  return <time dateTime={new Date(millis).toISOString()}>{timeText(millis)}</time>;
}

/** Returns the value of a field for a local date and time. */
export function localValue(millis: number): string {
  const offset = new Date(millis).getTimezoneOffset() * 60_000;
  return new Date(millis - offset).toISOString().slice(0, 16);
}

/** Returns the value of a field for a local date and time with seconds. */
export function preciseValue(millis: number): string {
  const offset = new Date(millis).getTimezoneOffset() * 60_000;
  return new Date(millis - offset).toISOString().slice(0, 19);
}
