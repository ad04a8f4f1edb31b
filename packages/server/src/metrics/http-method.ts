/** The methods of HTTP that may be named; others could be any text of a caller. */

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

/** Returns a method of HTTP as it is, and `_OTHER` for any other text. */
export function knownMethod(method: string): string {
  return METHODS.has(method) ? method : '_OTHER';
}
