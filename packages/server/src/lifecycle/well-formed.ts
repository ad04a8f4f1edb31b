/** Refuses messages that the parser of Node.js lets pass. */
import type { IncomingMessage } from 'node:http';

// Node.js limits only the bytes of headers, so thousands of short ones would pass.
const HEADERS_MAX = 200;

/** Returns the status to refuse a request with, or `undefined` for a well-formed one. */
export function refusalOf(incoming: IncomingMessage): number | undefined {
  if (incoming.rawHeaders.length > 2 * HEADERS_MAX) return 431;
  return hasOneHost(incoming) ? undefined : 400;
}

/** Checks for exactly one host; only HTTP/1.0 may omit it, as simple probes do. */
function hasOneHost({ headers, rawHeaders, httpVersion }: IncomingMessage): boolean {
  if (headers.host === undefined) return httpVersion === '1.0';
  let count = 0;
  // Raw headers alternate names and values; the parsed ones hide a second host.
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count === 1;
}
