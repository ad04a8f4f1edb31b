/** Amounts as people write them. */
import { texts } from '../texts/en/english.js';

const sizes = [
  ['terabyte', 1e12],
  ['gigabyte', 1e9],
  ['megabyte', 1e6],
  ['kilobyte', 1e3],
] as const;

/** Returns a number of bytes as a text such as "1.2 MB". */
export function sizeText(bytes: number): string {
  const [unit, size] = sizes.find(([, each]) => bytes >= each) ?? (['byte', 1] as const);
  return amountText(bytes / size, unit);
}

/** Returns a time that a computer takes as a text such as "1.2 ms". */
export function durationText(millis: number): string {
  return millis < 1_000 ? amountText(millis, 'millisecond') : amountText(millis / 1_000, 'second');
}

/** Returns a number as a text with three digits that count. */
export function numberText(value: number): string {
  return new Intl.NumberFormat(texts.locale, { maximumSignificantDigits: 3 }).format(value);
}

function amountText(value: number, unit: string): string {
  const style = { style: 'unit', unit, unitDisplay: 'short' } as const;
  const format = { ...style, maximumSignificantDigits: 3 };
  return new Intl.NumberFormat(texts.locale, format).format(value);
}

/** Returns a number of days as a text such as "30 days". */
export function daysText(days: number): string {
  const style = { style: 'unit', unit: 'day', unitDisplay: 'long' } as const;
  return new Intl.NumberFormat(texts.locale, style).format(days);
}
