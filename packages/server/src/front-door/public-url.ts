/** The address under which browsers and programs reach a server. */
import { parsedUrl } from '@agentkeep/core/clients';

/** What a public URL is, in words. */
export const PUBLIC_URL_ALLOWED =
  'https://<host[:port]>, or http://<host[:port]> on loopback, without a path or a trailing slash';

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** What another address of a server is, in words. */
export const WEB_ORIGIN_ALLOWED =
  'http:// or https://<host[:port]>, without a path or a trailing slash';

/** Returns whether a text is the origin of an http or https URL. */
export function isWebOrigin(text: string): boolean {
  const url = parsedUrl(text);
  return url?.origin === text && /^https?:$/.test(url.protocol);
}

/** Returns whether a text is the origin of an https URL, or of an http URL on loopback. */
export function isPublicUrl(text: string): boolean {
  const url = parsedUrl(text);
  if (url?.origin !== text) return false;
  const { protocol, hostname } = url;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}
