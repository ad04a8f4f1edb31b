/** What a run of a text is. */

/** Characters of scripts that put no spaces between words. */
const UNSPACED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** Finds runs; the group `part` says that one is of a script without spaces. It has no place. */
export const RUN = new RegExp(
  `(?<part>(?:(?=[${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
  'gu',
);
