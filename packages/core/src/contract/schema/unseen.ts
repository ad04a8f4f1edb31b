/** Characters that people don't see, or that change the order of what they see. */

/**
 * The category C holds code points that are unassigned, too: a later version of Unicode may give
 * them any meaning. U+2800, U+1D159 and U+16FE4 are blank,
 * and ordinary by category.
 */
const UNSEEN = /[\u{16fe4}\p{C}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]/gu;

/** Returns whether a text has a character that is not seen. Spaces are not among them. */
export function hasUnseen(text: string): boolean {
  return text.search(UNSEEN) !== -1;
}

/** Returns a text without the characters that are not seen. */
export function withoutUnseen(text: string): string {
  return text.replaceAll(UNSEEN, '');
}

/** Returns a text with what is not seen as escapes, such as `\u{200b}`. */
export function escapedUnseen(text: string): string {
  return text.replaceAll(UNSEEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}
