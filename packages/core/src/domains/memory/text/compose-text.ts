/** Texts with one spelling of equivalent characters (NFKC of Unicode), and all of them shown. */

const NOT_SHOWN = /\p{Default_Ignorable_Code_Point}/u;
const ALL_NOT_SHOWN = new RegExp(NOT_SHOWN, 'gu');

/**
 * Returns a text with composed characters, those of compatibility replaced, and those that are not
 * shown left out: soft hyphens, joiners, marks of direction and the like. Case stays.
 */
export function composeText(text: string): string {
  const composed = text.normalize('NFKC');
  // What is left out may have kept two characters apart.
  return NOT_SHOWN.test(composed)
    ? composed.replace(ALL_NOT_SHOWN, '').normalize('NFKC')
    : composed;
}
