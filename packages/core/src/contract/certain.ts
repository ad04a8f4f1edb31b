/** Values that are always there, although their types can't say so. */

/**
 * Returns a value that is certainly there; `what` names it to a reader of the error.
 * @throws {TypeError} It is not there, which is a defect of this program.
 */
export function certain<T>(value: T | null | undefined, what: string): T {
  if (value === null || value === undefined) throw new TypeError(`There is no ${what}.`);
  return value;
}
