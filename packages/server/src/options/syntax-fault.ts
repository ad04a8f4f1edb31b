/** Finds where a text stops being JSON, which the parser of Node.js does not always report. */

/** A position in a text; both numbers count from 1. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** One token of RFC 8259, or the white space between tokens. */
const TOKEN =
  /[ \t\n\r]+|[{}[\]:,]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The tokens that may follow; each state lists the accepted tokens by their first character. */
type Expected = 'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end';

/**
 * Returns the first position at which no JSON text continues like this one; `undefined` if the text
 * is one JSON value.
 */
export function syntaxFault(text: string): TextPosition | undefined {
  const open: string[] = [];
  let expected: Expected | 'nothing' = 'value';
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const [token] = TOKEN.exec(text) ?? [];
    if (token === undefined) return placeOf(text, at);
    if (token.trim() !== '') {
      const next = afterToken(token, expected, open);
      if (next === undefined) return placeOf(text, at);
      expected = next;
    }
    at += token.length;
  }
  return expected === 'nothing' ? undefined : placeOf(text, text.length);
}

/** Takes a token; returns what may follow it, or `undefined` if the token is not allowed there. */
function afterToken(
  token: string,
  expected: Expected | 'nothing',
  open: string[],
): Expected | 'nothing' | undefined {
  const isValue = expected === 'value' || expected === 'value or end';
  const isName = expected === 'name' || expected === 'name or end';
  const inside = open.at(-1);
  const afterValue = (): Expected | 'nothing' => (open.length === 0 ? 'nothing' : 'comma or end');
  switch (token) {
    case '{':
    case '[':
      if (!isValue) return undefined;
      open.push(token);
      return token === '{' ? 'name or end' : 'value or end';
    case '}':
    case ']': {
      const mayEnd =
        expected === 'comma or end' ||
        expected === (token === '}' ? 'name or end' : 'value or end');
      if (!mayEnd || inside !== (token === '}' ? '{' : '[')) return undefined;
      open.pop();
      return afterValue();
    }
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case ',':
      if (expected !== 'comma or end') return undefined;
      return inside === '{' ? 'name' : 'value';
    default:
      if (isName) return token.startsWith('"') ? 'colon' : undefined;
      return isValue ? afterValue() : undefined;
  }
}

function placeOf(text: string, at: number): TextPosition {
  const lines = text.slice(0, at).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
