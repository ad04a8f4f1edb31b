/** Finds numbers in JSON that programs of JavaScript would change without a word. */

/** A text without such digits and exponents has no number that changes. */
const MAY_CHANGE = /\d{16}|[eE]\+?\d{3}/;

/** A string, or a number. Strings are matched so that their digits are passed over. */
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

const INTEGER = /^-?\d+$/;

/** How doubles from 1e21 on are written. */
const EXPONENT = /^(?<digits>-?\d)(?:\.(?<fraction>\d+))?e\+(?<zeros>\d+)$/;

/**
 * Replaces the numbers of a JSON text that a double can't hold: integers that would be written as
 * other ones, such as 9007199254740993, and numbers beyond all doubles, such as 1e400. Fractions
 * are rounded, as everywhere.
 */
export function replaceInexactNumbers(json: string, instead: (number: string) => string): string {
  if (!MAY_CHANGE.test(json)) return json;
  return json.replaceAll(TOKEN, (token) =>
    !token.startsWith('"') && MAY_CHANGE.test(token) && isInexact(token) ? instead(token) : token,
  );
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

function isInexact(token: string): boolean {
  const number = Number(token);
  if (!Number.isFinite(number)) return true;
  return INTEGER.test(token) && BigInt(token) !== writtenInteger(number);
}

/** Returns the integer that a double is written as: in the fewest digits that name the double. */
function writtenInteger(number: number): bigint {
  const { digits, fraction = '', zeros } = EXPONENT.exec(String(number))?.groups ?? {};
  if (digits === undefined) return BigInt(String(number));
  return BigInt(digits + fraction.padEnd(Number(zeros), '0'));
}
