/**
 * Takes out of a text whatever looks like a secret of Agentkeep.
 * @module
 */

/** What stands in place of a secret. */
const REDACTED = '[redacted]';

/** Credentials, sessions, refresh tokens and API keys: the prefix and enough of what follows. */
const OPAQUE_SECRET = /ak(?:g?1|s[gt]1|r1|_live)_[\w-]{16,}/gi;

/** Runs of the characters of a compact JWT that are long enough to be one. */
const TOKEN_RUN = /[\w.-]{20,}/g;

/** How the header of every JWT starts: `{"` in base64url. */
const JWT_START = 'eyJ';

/** The password of a URL, in front of its host or among its parameters. */
const URL_PASSWORD = /(:\/\/[^\s:/@]{0,256}:)[^\s/@]{1,1024}(?=@)|([?&]password=)[^\s&"]{1,1024}/gi;

/** The text without secrets; it costs time linear in its length. */
export function redactSecrets(text: string): string {
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
