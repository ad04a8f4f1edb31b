/**
 * Reads the words of texts.
 *
 * The words of a text. A word is a run of letters, marks, digits and underscores. In scripts that
 * put no spaces between words, such a run is a whole clause, so parts of it are looked for.
 */
import type { WordReading } from '../../../kernel/ports/memory-scan.js';
import { foldText } from './fold-text.js';
import { RUN } from './run-pattern.js';
import { exactForms, type WordForms } from './word-forms.js';

const MARKS = /\p{M}/gu;

/** A run of a text. */
export interface Run {
  /** In the form in which runs are compared. */
  readonly text: string;
  /** Whether it is of a script without spaces. */
  readonly isPart: boolean;
  /** Where it starts and ends in the text, in UTF-16 units. */
  readonly from: number;
  readonly to: number;
}

/** Returns whether diacritics count, and how runs are compared. */
export type Compared = (folded: string) => string;

/** Runs are compared as they are. */
const asTheyAre: Compared = (folded) => folded;

/** Runs are compared without their marks. */
const withoutMarks: Compared = (folded) => foldText(folded.normalize('NFD').replaceAll(MARKS, ''));

/** Returns how runs are compared. */
function comparedBy(diacritics: 'exact' | 'ignored'): Compared {
  return diacritics === 'exact' ? asTheyAre : withoutMarks;
}

/** Returns the runs of a folded text. */
export function runsOf(folded: string, compared: Compared = asTheyAre): Run[] {
  const runs: Run[] = [];
  for (const match of folded.matchAll(RUN)) {
    const [run] = match;
    const isPart = match.groups?.['part'] !== undefined;
    // Marks of these scripts are vowels, not diacritics.
    const text = isPart ? run : compared(run);
    if (text !== '') runs.push({ text, isPart, from: match.index, to: match.index + run.length });
  }
  return runs;
}

/** Stems that are remembered, to stem a word of many texts once. */
const STEMS_MAX = 32_768;

/** Characters of a word whose stem is remembered. */
const WORD_CHARS_MAX = 64;

/** Reads words by their forms. */
export class FormReading implements WordReading {
  readonly compared: Compared;
  readonly forms: WordForms;
  readonly isExact: boolean;
  readonly #stems = new Map<string, string>();

  /** {@link readingOf} returns the only one of each kind. */
  constructor(diacritics: 'exact' | 'ignored', forms: WordForms) {
    this.compared = comparedBy(diacritics);
    this.forms = forms;
    this.isExact = diacritics === 'exact' && forms === exactForms;
  }

  /** Returns what is compared of a run; empty if nothing is. */
  wordOf(run: string): string {
    return this.isExact ? run : this.stemOf(this.compared(run));
  }

  /** Returns what the forms of a word have in common. The word is one that was compared. */
  stemOf(word: string): string {
    if (this.forms === exactForms) return word;
    if (word.length > WORD_CHARS_MAX) return this.forms.stemOf(word);
    const known = this.#stems.get(word);
    if (known !== undefined) return known;
    const stem = this.forms.stemOf(word);
    if (this.#stems.size === STEMS_MAX) this.#stems.clear();
    this.#stems.set(word, stem);
    return stem;
  }
}

const readings = new Map<WordForms, Readonly<Record<'exact' | 'ignored', FormReading>>>();

/** Returns the one reading of its kind. */
export function readingOf(diacritics: 'exact' | 'ignored', forms: WordForms): FormReading {
  let ofForms = readings.get(forms);
  if (ofForms === undefined) {
    ofForms = {
      exact: new FormReading('exact', forms),
      ignored: new FormReading('ignored', forms),
    };
    readings.set(forms, ofForms);
  }
  return ofForms[diacritics];
}

/** Returns the words of a folded text as they stand there, before they are compared. */
export function wordsIn(folded: string): string[] {
  return runsOf(folded).flatMap(({ text, isPart }) => (isPart ? [] : [text]));
}
