/** Finds the words of a query in the texts of a record. */
import { exactForms, type WordForms } from '../../text/word-forms.js';
import type { WordFilter } from '../documents/schema.js';
import {
  type Compared,
  comparedBy,
  type Run,
  runsOf,
  type Term,
  termsOf,
} from '../documents/word-terms.js';

/** A range of a text, in UTF-16 units. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** The words of a query, made ready to be looked for. */
export class WantedWords {
  readonly terms: readonly Term[];
  readonly #match: 'all' | 'any';
  readonly #compared: Compared;
  /** Each of these is part of a folded text of every matching record. */
  readonly needed: readonly string[];
  /** Every matching record has one of these in its folded texts; absent if none are known. */
  readonly someOf: readonly string[] | undefined;
  /** Whether folded texts contain the texts of terms as they are. */
  readonly #isExact: boolean;
  readonly #forms: WordForms;
  /** Stems of the words, of the query and of texts. */
  readonly #stems = new Map<string, string>();

  constructor({ text, match, diacritics }: WordFilter, forms: WordForms = exactForms) {
    this.#compared = comparedBy(diacritics);
    this.#forms = forms;
    this.terms = this.#meaningful(termsOf(text, this.#compared));
    this.#match = match;
    this.#isExact = diacritics === 'exact' && forms === exactForms;
    const isNeeded = this.#isExact && (match === 'all' || this.terms.length === 1);
    this.needed = isNeeded ? this.terms.flatMap(textsOf) : [];
    this.someOf = this.#isExact ? this.#someOfAll() : undefined;
  }

  /** Returns whether folded texts have all or any of the terms. */
  matches(texts: readonly string[]): boolean {
    if (!this.needed.every((part) => texts.some((text) => text.includes(part)))) return false;
    const found = this.foundIn(texts);
    return this.#match === 'all' ? found === this.terms.length : found > 0;
  }

  /** Returns how many of the terms are in folded texts. */
  foundIn(texts: readonly string[]): number {
    return this.termsIn(texts).size;
  }

  /** Returns the terms that are in folded texts. */
  termsIn(texts: readonly string[]): ReadonlySet<Term> {
    const found = new Set<Term>();
    for (const text of texts) {
      if (text === '') continue;
      const runs = runsOf(text, this.#compared);
      const stems = new Set(runs.map((run) => (run.isPart ? '' : this.#stemOf(run.text))));
      for (const term of this.terms) {
        if (term.kind !== 'word') this.#findTerm(term, text, runs, () => found.add(term));
        else if (stems.has(this.#stemOf(term.text))) found.add(term);
      }
    }
    return found;
  }

  /** Returns where the terms are in a folded text; ranges may overlap. */
  rangesIn(text: string): TextRange[] {
    const ranges: TextRange[] = [];
    this.#find(text, (_term, range) => ranges.push(range));
    return ranges;
  }

  #someOfAll(): readonly string[] {
    // The longest text of a term is in the fewest records.
    if (this.needed.length > 0) return [longestOf(this.needed)];
    return this.terms.map((term) => longestOf(textsOf(term)));
  }

  #find(text: string, found: (term: Term, range: TextRange) => void): void {
    const runs = runsOf(text, this.#compared);
    for (const term of this.terms) {
      this.#findTerm(term, text, runs, (range) => found(term, range));
    }
  }

  #findTerm(
    term: Term,
    text: string,
    runs: readonly Run[],
    found: (range: TextRange) => void,
  ): void {
    if (term.kind === 'part') for (const range of rangesOf(term.text, text)) found(range);
    else if (term.kind === 'phrase') findPhrase(runs, term.runs, found);
    else if (term.kind === 'prefix') findPrefix(runs, term.text, found);
    else this.#findWord(runs, term.text, found);
  }

  #findWord(runs: readonly Run[], word: string, found: (range: TextRange) => void): void {
    const stem = this.#stemOf(word);
    for (const run of runs) {
      if (!run.isPart && (run.text === word || this.#stemOf(run.text) === stem)) found(run);
    }
  }

  #stemOf(word: string): string {
    if (this.#forms === exactForms) return word;
    let stem = this.#stems.get(word);
    if (stem === undefined) {
      stem = this.#forms.stemOf(word);
      this.#stems.set(word, stem);
    }
    return stem;
  }

  /** Returns one term for the forms of each word, without stop words, unless all are. */
  #meaningful(terms: readonly Term[]): readonly Term[] {
    const isStop = (term: Term) => term.kind === 'word' && this.#forms.isStopWord(term.text);
    const telling = terms.filter((term) => !isStop(term));
    const kept = telling.length === 0 ? terms : telling;
    const stems = kept.map((term) => (term.kind === 'word' ? this.#stemOf(term.text) : term));
    return kept.filter((_term, index) => stems.indexOf(stems[index] ?? '') === index);
  }
}

function textsOf(term: Term): string[] {
  return term.kind === 'phrase' ? term.runs.map(({ text }) => text) : [term.text];
}

function longestOf(texts: readonly string[]): string {
  return texts.reduce((one, other) => (other.length > one.length ? other : one), '');
}

/** Returns the ranges of a part in a text, without overlaps; none for an empty part. */
export function rangesOf(part: string, text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let from = part === '' ? -1 : text.indexOf(part);
  while (from !== -1) {
    const to = from + part.length;
    ranges.push({ from, to });
    from = text.indexOf(part, to);
  }
  return ranges;
}

function findPrefix(runs: readonly Run[], prefix: string, found: (range: TextRange) => void): void {
  for (const run of runs) if (!run.isPart && run.text.startsWith(prefix)) found(run);
}

/** A run of a script without spaces at an end of a phrase may be a part of the run of the text. */
function findPhrase(
  runs: readonly Run[],
  wanted: readonly Run[],
  found: (range: TextRange) => void,
): void {
  const lastOf = wanted.length - 1;
  for (let at = 0; at + lastOf < runs.length; at += 1) {
    const isHere = wanted.every((part, index) => {
      const run = runs[at + index];
      if (run === undefined || run.isPart !== part.isPart) return false;
      if (run.text === part.text) return true;
      if (!part.isPart) return false;
      return (
        (index === 0 && run.text.endsWith(part.text)) ||
        (index === lastOf && run.text.startsWith(part.text))
      );
    });
    const [first, last] = [runs[at], runs[at + lastOf]];
    if (isHere && first !== undefined && last !== undefined) {
      found({ from: first.from, to: last.to });
    }
  }
}

/** Returns ranges in order. Ranges that touch or overlap become one. */
export function mergedRanges(ranges: readonly TextRange[]): TextRange[] {
  const done: TextRange[] = [];
  for (const range of ranges.toSorted((one, other) => one.from - other.from)) {
    const before = done.at(-1);
    if (before !== undefined && range.from <= before.to) {
      done[done.length - 1] = { from: before.from, to: Math.max(before.to, range.to) };
    } else {
      done.push({ from: range.from, to: range.to });
    }
  }
  return done;
}
