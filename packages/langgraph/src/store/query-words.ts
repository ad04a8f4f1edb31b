/** The words of a query, for searches by words and vectors together. */

/** Most words of a search. */
const WORDS_MAX = 32;

/** UTF-8 bytes of all of them. */
const BYTES_MAX = 1_024;

/** Runs of letters, marks, digits and `_`. */
const RUN = /[\p{L}\p{M}\p{N}_]+/gu;

/** In these scripts no space divides words, so a run ends where another script begins. */
const SPACELESS =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}]/u;

/** Returns the first distinct words of a text, as many as a search takes. */
export function wordsOf(text: string): string {
  const runs = text.toWellFormed().match(RUN) ?? [];
  const words = [...new Set(runs.flatMap(partsOf))];
  const taken: string[] = [];
  let bytes = 0;
  for (const word of words.slice(0, WORDS_MAX)) {
    bytes += new TextEncoder().encode(word).length + 1;
    if (bytes > BYTES_MAX) break;
    taken.push(word);
  }
  return taken.join(' ');
}

function partsOf(run: string): string[] {
  const parts: string[] = [];
  let part = '';
  let wasSpaceless = false;
  for (const character of run) {
    const isSpaceless = SPACELESS.test(character);
    if (isSpaceless !== wasSpaceless && part !== '') {
      parts.push(part);
      part = '';
    }
    part += character;
    wasSpaceless = isSpaceless;
  }
  return [...parts, part];
}
