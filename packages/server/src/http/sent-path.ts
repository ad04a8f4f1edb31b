/**
 * Reads the path of a request as its sender wrote it.
 *
 * A URL resolves `.` and `..`, in their percent-encoded spellings too. The routed path would then
 * differ from the one that a proxy saw, and such ids would be unreachable.
 */
import type { IncomingMessage } from 'node:http';

/** Returns the path that was sent, still percent-encoded; without a socket, that of the URL. */
export function sentPath(url: string, incoming: IncomingMessage | undefined): string {
  const target = incoming?.url;
  const isPath = target?.startsWith('/') === true;
  const sent = isPath ? target : url.slice(url.indexOf('/', url.indexOf('//') + 2));
  const [path = ''] = sent.split(/[?#]/, 1);
  return path;
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
