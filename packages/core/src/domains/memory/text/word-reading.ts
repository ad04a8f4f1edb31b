/** How words are read: whether diacritics count, and which words are forms of one. */
import type { WordReading } from '../../../kernel/ports/memory-scan.js';
import { exactForms, type WordForms } from './word-forms.js';
import { type Compared, comparedBy, runsOf } from './word-runs.js';

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
