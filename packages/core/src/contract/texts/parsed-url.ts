/**
 * Returns the URL that a text is, against a base if one is given; `undefined` where it is none.
 *
 * `URL.canParse` can't decide that: once the engine has compiled its caller, Node.js 20 refuses
 * texts that have Latin letters beyond ASCII, and Node.js 26 accepts hosts that `new URL` refuses.
 */
export function parsedUrl(text: string, base?: string): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
