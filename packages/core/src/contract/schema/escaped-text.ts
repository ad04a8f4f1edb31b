/** Texts of callers as logs show them: escaped, and without secrets. */

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

/** Replaces each secret. */
const REDACTED = '[redacted]';

/** The prefix of a credential, session, refresh token or API key, and enough of the rest. */
const OPAQUE_SECRET = /ak(?:g?1|s[gt]1|r1|_live)_[\w-]{16,}/gi;

/** A run of compact JWT characters that is long enough to be a token. */
const TOKEN_RUN = /[\w.-]{20,}/g;

/** How the header of every JWT starts: `{"` in base64url. */
const JWT_START = 'eyJ';

/** The password of a URL, before its host, where it may contain an `@`, or in its query. */
const URL_PASSWORD =
  /(:\/\/[^\s:/@]{0,256}:)[^\s/]{1,1024}(?=@)|([?&](?:ssl)?password=)[^\s&"]{1,1024}/gi;

/** A prefix that every secret contains. Most texts contain none, and this is one cheap search. */
const SUSPECT = /ak(?:g?1|s[gt]1|r1|_live)_|eyJ|:\/\/|[?&](?:ssl)?password=/i;

/** Returns the text without secrets, in linear time. */
export function redactSecrets(text: string): string {
  return SUSPECT.test(text) ? withoutSecrets(text) : text;
}

function withoutSecrets(text: string): string {
  return text
    .replaceAll(OPAQUE_SECRET, REDACTED)
    .replaceAll(TOKEN_RUN, withoutJwt)
    .replaceAll(URL_PASSWORD, `$1$2${REDACTED}`);
}

function withoutJwt(run: string): string {
  const start = run.indexOf(JWT_START);
  if (start === -1 || run.split('.', 3).length < 3) return run;
  return run.slice(0, start) + REDACTED;
}
