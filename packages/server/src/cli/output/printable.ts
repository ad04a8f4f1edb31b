/** Makes values from others safe to show on a terminal. */

/** Controls, and characters that change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu;

/** Returns a text on one line, with every control character escaped. */
export function printable(text: string): string {
  return text.replace(UNSAFE, (each) =>
    each === '\n' ? '\\n' : `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Returns a value as one line of JSON. Controls, and characters that change the direction of text,
 * are escaped, so that a terminal shows the actual text; readers of JSON get the same value.
 */
export function jsonLine(value: unknown): string {
  return `${printable(JSON.stringify(value))}\n`;
}

/** Returns any value of a document as a text on one line; `-` for none. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'string') return printable(value);
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) {
    return value.length === 0 ? '-' : printable(value.join(','));
  }
  return printable(JSON.stringify(value));
}

/** Returns the time of Unix milliseconds as an RFC 3339 text; `-` for none. */
export function timeCell(millis: unknown): string {
  if (typeof millis !== 'number') return '-';
  const date = new Date(millis);
  return Number.isNaN(date.getTime()) ? String(millis) : date.toISOString();
}
