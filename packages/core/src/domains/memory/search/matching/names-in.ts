/**
 * Names that occur in a text, word by word, longer words with a typing error
 * (docs/contract/search.md#sea-71).
 */
import { foldText } from '../../text/fold-text.js';
import { runsOf } from '../../text/word-reading.js';

/** A word of a name or text, or a run of a script without spaces. */
interface Part {
  readonly text: string;
  readonly isPart: boolean;
}

/** UTF-16 units of a word that may have a typing error, and those before the error. */
const LONG_WORD = 5;
const FIRST_UNITS = 2;
/** Names that are remembered: tags are those of many records. */
const KNOWN_NAMES = 4_096;

/** Returns whether names occur in a text. */
export function namesIn(text: string): (name: string) => boolean {
  const said = partsOf(text);
  const known = new Map<string, boolean>();
  return (name) => {
    const before = known.get(name);
    if (before !== undefined) return before;
    const isIn = occurs(partsOf(name), said);
    if (known.size === KNOWN_NAMES) known.clear();
    known.set(name, isIn);
    return isIn;
  };
}

/** Returns what a name is called by: what is behind its last `/`. */
export function calledBy(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function partsOf(text: string): Part[] {
  return runsOf(foldText(text)).flatMap(({ text: run, isPart }): Part[] => {
    if (isPart) return [{ text: run, isPart }];
    const words = run.split('_').filter((word) => word !== '');
    return words.map((word) => ({ text: word, isPart }));
  });
}

function occurs(wanted: readonly Part[], said: readonly Part[]): boolean {
  if (wanted.length === 0) return false;
  for (let at = 0; at + wanted.length <= said.length; at += 1) {
    if (wanted.every((part, index) => isSaidBy(part, said[at + index]))) return true;
  }
  return false;
}

function isSaidBy(wanted: Part, said: Part | undefined): boolean {
  if (said?.isPart !== wanted.isPart) return false;
  if (wanted.isPart) return said.text.includes(wanted.text);
  return said.text === wanted.text || isMistyped(wanted.text, said.text);
}

/** Whether a word is a longer one with a unit added, left out or replaced, or two exchanged. */
function isMistyped(word: string, typed: string): boolean {
  if (word.length < LONG_WORD || Math.abs(word.length - typed.length) > 1) return false;
  let at = 0;
  while (at < word.length && word[at] === typed[at]) at += 1;
  if (at < FIRST_UNITS) return false;
  const [rest, typedRest] = [word.slice(at + 1), typed.slice(at + 1)];
  return (
    rest === typedRest ||
    word.slice(at) === typedRest ||
    rest === typed.slice(at) ||
    (word[at] === typed[at + 1] &&
      word[at + 1] === typed[at] &&
      rest.slice(1) === typedRest.slice(1))
  );
}
