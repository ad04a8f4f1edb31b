/** Reads `Cookie` headers. */

/** Returns the value of a cookie: the first one with the name that is not empty, or `undefined`. */
export function cookieOf(header: string | null, name: string): string | undefined {
  for (const each of (header ?? '').split(';')) {
    const at = each.indexOf('=');
    const value = each.slice(at + 1).trim();
    if (at > 0 && each.slice(0, at).trim() === name && value !== '') return value;
  }
  return undefined;
}
