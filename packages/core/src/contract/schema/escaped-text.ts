/** Makes texts from outside safe to record: without secrets and control characters. */
import { redactSecrets } from './redact-secrets.js';

/** Control characters, and separators that some readers treat as the end of a line. */
const UNSAFE = /[\p{Cc}\u2028\u2029]/gu;

/** The start of an escape whose end was cut off. */
const HALF_ESCAPE = /\\(?:u[\da-f]{0,3})?$/;

/** Returns a text with secrets redacted and control characters escaped, such as `\u000a`. */
export function escapedText(text: string): string {
  return redactSecrets(text.toWellFormed()).replaceAll(
    UNSAFE,
    (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** As {@link escapedText}, cut to a number of characters. */
export function escapedTextUpTo(text: string, charsMax: number): string {
  const escaped = escapedText(text);
  if (escaped.length <= charsMax) return escaped;
  const chars = Array.from(escaped);
  if (chars.length <= charsMax) return escaped;
  return chars.slice(0, charsMax).join('').replace(HALF_ESCAPE, '');
}
