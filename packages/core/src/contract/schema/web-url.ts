/** The rule of addresses that the server calls (docs/contract/webhooks.md#hok-10). */
import { URL_BYTES_MAX } from '../limits.js';
import { utf8Bytes } from './text.js';
import { parsedUrl } from '../texts/parsed-url.js';

/** Whether a text is an absolute http or https URL without user, password and fragment. */
export function isWebUrl(text: string): boolean {
  const url = utf8Bytes(text) > URL_BYTES_MAX ? undefined : parsedUrl(text);
  // Parsers of URLs drop spaces and control characters, so that the address would differ.
  if (url === undefined || /[\s\p{Cc}]/u.test(text)) return false;
  const { protocol, username, password } = url;
  const isWeb = protocol === 'https:' || protocol === 'http:';
  if (!isWeb || username !== '' || password !== '' || text.includes('#')) return false;
  return asciiUrl(text).length <= URL_BYTES_MAX;
}

/** What is encoded beside what the parser of URLs encodes, for a URI as RFC 3986 has it. */
const NOT_IN_URI = /[^\w\-.~:/?!$&'()*+,;=%]|%(?![\dA-Fa-f]{2})/gu;

/** Returns the form of a URL that is stored, shown and called: a URI in ASCII. */
export function asciiUrl(text: string): string {
  const { protocol, hostname, port, pathname, search } = new URL(text);
  const isIpv6 = hostname.startsWith('[');
  const host = isIpv6 ? hostname : encoded(hostname);
  const authority = port === '' ? host : `${host}:${port}`;
  return `${protocol}//${authority}${encoded(pathname + search)}`;
}

function encoded(part: string): string {
  return part.replace(NOT_IN_URI, (character) => {
    const hex = character.charCodeAt(0).toString(16).toUpperCase();
    return `%${hex.padStart(2, '0')}`;
  });
}
