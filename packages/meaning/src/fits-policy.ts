/** Which texts the model understands. */

/** Least share of the letters of a text that are Latin. */
const LATIN_SHARE_MIN = 0.9;
/**
 * Fewest letters, digits and marks of an English text for each of its tokens, on average. The
 * vocabulary of the model is made of English, so other languages fall into small pieces.
 */
const CHARACTERS_PER_TOKEN_MIN = 2.2;
/** The token of what the vocabulary doesn't have, such as an emoji. */
const UNKNOWN = 0;

/** Whether a text is one that the model was made for, by its tokens. */
export function isUnderstood(text: string, tokens: readonly number[]): boolean {
  const letters = countOf(text, /\p{L}/gu);
  if (letters === 0 || countOf(text, /\p{Script=Latin}/gu) < letters * LATIN_SHARE_MIN)
    return false;
  const known = tokens.filter((token) => token !== UNKNOWN).length;
  return known > 0 && countOf(text, /[\p{L}\p{N}\p{P}]/gu) / known >= CHARACTERS_PER_TOKEN_MIN;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
