/** Finds numbers in JSON that programs of JavaScript would change without a word. */

/** A text without an integer of such length and without a positive exponent has none. */
const MAY_CHANGE = /(?:^|[^\d.])\d{16}|\d[eE]\+?\d/;

/** The beginning of a string, or a number. */
const STRING_OR_NUMBER = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** The parts of a number as JSON and `String()` write it. */
const PARTS = /^-?(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/** A number beyond all doubles, which is read as infinity. */
const BEYOND = '1e999';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Replaces the numbers of a JSON text that a double can't hold: integers that would be written as
 * other ones, such as 9007199254740993, and numbers beyond all doubles, such as 1e400. Fractions
 * are rounded, as everywhere.
 *
 * @param json - A JSON text.
 * @param instead - Returns what is written instead. By default it is read as infinity, which every
 * call refuses with the name of the member.
 */
export function replaceInexactNumbers(
  json: string,
  instead: (number: string) => string = () => BEYOND,
): string {
  if (!MAY_CHANGE.test(json)) return json;
  let replaced = '';
  let copied = 0;
  const tokens = new RegExp(STRING_OR_NUMBER);
  for (let match; (match = tokens.exec(json)) !== null;) {
    const [token] = match;
    if (token === '"') tokens.lastIndex = endOfString(json, match.index);
    if (token === '"' || !isInexact(token)) continue;
    replaced += json.slice(copied, match.index) + instead(token);
    copied = match.index + token.length;
  }
  return replaced + json.slice(copied);
}

/** Returns the first number of a JSON text that {@link replaceInexactNumbers} would replace. */
export function inexactNumber(json: string): string | undefined {
  let found: string | undefined;
  replaceInexactNumbers(json, (number) => {
    found ??= number;
    return number;
  });
  return found;
}

/** Returns the place behind the string that begins at a quotation mark. */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length && json.charCodeAt(at) !== QUOTE; at += 1) {
    if (json.charCodeAt(at) === BACKSLASH) at += 1;
  }
  return at + 1;
}

function isInexact(token: string): boolean {
  if (!MAY_CHANGE.test(token)) return false;
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  const { digits, exponent } = decimalOf(token);
  if (exponent < 0) return false;
  const written = decimalOf(String(number));
  return digits !== written.digits || exponent !== written.exponent;
}

/** Returns the digits of a number without zeros at either end, and their power of ten. */
function decimalOf(token: string): { readonly digits: string; readonly exponent: number } {
  const { whole = '', fraction = '', exponent = '0' } = PARTS.exec(token)?.groups ?? {};
  const all = (whole + fraction).replace(/^0+/, '');
  let end = all.length;
  while (all.charAt(end - 1) === '0') end -= 1;
  if (end === 0) return { digits: '', exponent: 0 };
  return {
    digits: all.slice(0, end),
    exponent: Number(exponent) - fraction.length + all.length - end,
  };
}
