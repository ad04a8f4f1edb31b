/**
 * Reads the path of a request as its sender wrote it.
 *
 * A URL resolves `.` and `..`, in their percent-encoded spellings too. The routed path would then
 * differ from the one that a proxy saw, and such ids would be unreachable.
 */
import type { IncomingMessage } from 'node:http';

/**
 * Returns the path that was sent, still percent-encoded. The target of a request may be a path or a
 * whole URL; without a socket, the URL counts.
 */
export function sentPath(url: string, incoming: IncomingMessage | undefined): string {
  const target = incoming?.url;
  // Node.js has an empty target for a message that was not received.
  const isSent = target !== undefined && target !== '';
  const text = isSent ? target : url;
  const end = text.search(/[?#]/);
  const sent = end === -1 ? text : text.slice(0, end);
  if (sent.startsWith('/')) return sent;
  const start = sent.indexOf('/', sent.indexOf('//') + 2);
  return start === -1 ? '/' : sent.slice(start);
}

/**
 * Returns the path in the form of routes: unnecessary escapes are decoded, slashes stay escaped.
 */
export function routedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
