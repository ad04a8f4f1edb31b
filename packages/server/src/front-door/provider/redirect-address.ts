/**
 * Which redirect addresses programs may have, and what people see of them
 * (docs/contract/oauth.md#oau-29).
 */
import { parsedUrl } from '@agentkeep/core/clients';

/** Most characters of an address with a private scheme, as it is shown whole. */
const PRIVATE_CHARS_MAX = 256;

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** A domain in reverse (RFC 8252, section 7.1). */
const PRIVATE_SCHEME = /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/;

/** No spaces and no controls. */
const VISIBLE = /^[\x21-\x7E]+$/;

/** Browsers take it for a slash. */
const BACKSLASH = '\\';

/** What a redirect address may be, in words. */
export const REDIRECT_ADDRESS_ALLOWED =
  'https, http on loopback, or a private scheme with a dot, such as com.example.app:/callback';

/** Returns whether programs may have an answer sent to an address. */
export function isRedirectAddress(text: string): boolean {
  const url = VISIBLE.test(text) && !text.includes(BACKSLASH) ? parsedUrl(text) : undefined;
  if (url === undefined) return false;
  const { protocol, hostname, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === 'https:') return true;
  if (protocol === 'http:') return LOOPBACK.includes(hostname);
  return PRIVATE_SCHEME.test(protocol) && text.length <= PRIVATE_CHARS_MAX;
}

/**
 * Returns what people see of a redirect address: the host where it belongs to somebody, or the
 * whole. Behind a private scheme a program may write any host.
 */
export function shownAddress({ protocol, host, href }: URL): string {
  return protocol === 'https:' || protocol === 'http:' ? host : href;
}
