/** Whether the name or a tag of a record occurs in a text, by patterns of its words. */
import type { MemoryRecord } from '@agentkeep/core';
import { equated } from './equated.js';

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Bopo}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}\p{scx=Tibt}\p{scx=Hang}]/u;

/** Returns whether a record is named in a text. */
export function isNamedIn(text: string, { name, payload }: MemoryRecord): boolean {
  const said = wordsOf(text);
  const names = [...(name ?? '').split('/').slice(-1), ...payload.tags];
  return names.some((each) => {
    const words = wordsOf(each);
    const starts = said.map((_, index) => index);
    return (
      words.length > 0 &&
      starts.some((from) => words.every((word, index) => isSame(word, said[from + index])))
    );
  });
}

/** Returns the words of a text, cut where scripts without spaces begin and end. */
function wordsOf(text: string): string[] {
  const runs = equated(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return runs.flatMap((run) => {
    const words: string[] = [];
    for (const char of run) {
      const last = words.at(-1);
      if (last !== undefined && UNSPACED.test(last) === UNSPACED.test(char)) {
        words[words.length - 1] = last + char;
      } else words.push(char);
    }
    return words;
  });
}

function isSame(word: string, said: string | undefined): boolean {
  if (said === undefined || UNSPACED.test(word) !== UNSPACED.test(said)) return false;
  if (UNSPACED.test(word)) return said.includes(word);
  return said === word || (word.length >= 5 && mistypings(word).some((typed) => typed.test(said)));
}

/** Returns a pattern for each typing error behind the first two units. */
function mistypings(word: string): RegExp[] {
  const forms: string[] = [];
  for (let at = 2; at <= word.length; at += 1) {
    const [before, behind] = [word.slice(0, at), word.slice(at)];
    forms.push(`${before}.${behind}`);
    if (behind === '') continue;
    forms.push(before + behind.slice(1), `${before}.${behind.slice(1)}`);
    forms.push(before + (behind[1] ?? '') + (behind[0] ?? '') + behind.slice(2));
  }
  return forms.map((form) => new RegExp(`^${form}$`, 's'));
}
