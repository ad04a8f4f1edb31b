/** What a run of a text is. */

/**
 * Characters of scripts that put no spaces between words, and of Hangul, where particles are
 * written onto words without a space.
 */
const UNSPACED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'],
  'Hangul',
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
/** Finds runs; the group `part` says that one is of a script without spaces. It has no place. */
export const RUN = new RegExp(
  `(?<part>(?:(?=[${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
  'gu',
);
