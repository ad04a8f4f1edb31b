/**
 * Reads the path of a request as its sender wrote it.
 *
 * A URL resolves `.` and `..`, in their percent-encoded spellings too. What is routed would then be
 * another path than a proxy in front has seen, and ids of that name could not be reached.
 */
import type { IncomingMessage } from 'node:http';

/** The path that was sent, still percent-encoded; that of the URL where no socket tells. */
export function sentPath(url: string, incoming: IncomingMessage | undefined): string {
  const target = incoming?.url;
  const isPath = target?.startsWith('/') === true;
  const sent = isPath ? target : url.slice(url.indexOf('/', url.indexOf('//') + 2));
  const [path = ''] = sent.split(/[?#]/, 1);
  return path;
}

/** A path as routes are spelled: escapes that need not be are taken back, slashes stay escaped. */
export function routedPath(path: string): string {
  if (!path.includes('%')) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
