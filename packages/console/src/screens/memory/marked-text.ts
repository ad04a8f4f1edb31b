/** Marks the words of a question in a text. */

/** A part of a text. */
export interface MarkedPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** The beginning of a word that its other forms share, as far as marks go. */
const STEM_CHARS = 4;

/** Returns the parts of a text. Words are marked in all their forms, by how they begin. */
export function markedText(text: string, terms: readonly string[]): readonly MarkedPart[] {
  const stems = terms.map((term) => stemOf(term));
  return text.split(/([\p{L}\p{M}\p{N}_]+)/u).flatMap((part, at) => {
    if (part === '') return [];
    const isWord = at % 2 === 1;
    return [{ text: part, isMarked: isWord && stems.includes(stemOf(part)) }];
  });
}

function stemOf(word: string): string {
  const folded = word.toLowerCase();
  return folded.length <= STEM_CHARS
    ? folded
    : folded.slice(0, Math.max(STEM_CHARS, folded.length - 3));
}
