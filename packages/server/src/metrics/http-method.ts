/** The HTTP methods that metrics may name; others could be any text of a caller. */

const METHODS: ReadonlySet<string> = new Set([
  'CONNECT',
  'DELETE',
  'GET',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'POST',
  'PUT',
  'TRACE',
]);

/** Returns an HTTP method unchanged, and `_OTHER` for any other text. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
