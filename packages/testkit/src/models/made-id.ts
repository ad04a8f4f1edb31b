/** Ids of records that a keep made. */

/** Start of the id of a record that should have been made. */
export const NOT_MADE = 'not made';
const VERSION_7 = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

/** Returns the id in the answer to a create, which must be a new one. */
export function freshId(
  madeId: string | undefined,
  known: { readonly has: (id: string) => boolean },
): string {
  if (madeId === undefined) return NOT_MADE;
  const isFresh = VERSION_7.test(madeId) && !known.has(madeId);
  if (!isFresh && !madeId.startsWith(NOT_MADE)) {
    throw new Error(`A create was answered with the id ${madeId}.`);
  }
  return madeId;
}
