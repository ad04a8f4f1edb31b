/** Finds the words of a query in the texts of a record. */
import { SEARCH_TIMES_MAX } from '../../../../contract/limits.js';
import type { WantedTerms } from '../../../../kernel/ports/memory-scan.js';
import { foldText, NON_ASCII, type TextRange } from '../../text/fold-text.js';
import { exactForms, type WordForms } from '../../text/word-forms.js';
import { type FormReading, readingOf, type Run, runsOf } from '../../text/word-reading.js';
import type { WordFilter } from '../documents/schema.js';
import { type Term, termsOf } from '../documents/word-terms.js';
import { AsciiWords } from './ascii-words.js';
import { bitAt, bitsBelow, indexOfBit } from './bits.js';

/** The words of a query, made ready to be looked for. */
export class WantedWords implements WantedTerms {
  readonly terms: readonly Term[];
  readonly reading: FormReading;
  readonly words: WantedTerms['words'];
  readonly otherBits: number;
  readonly count: number;
  readonly #match: 'all' | 'any';
  readonly #allBits: number;
  #asciiWords: AsciiWords | undefined;
  /** Each of these is part of a folded text of every matching record. */
  readonly needed: readonly string[];

  constructor({ text, match, diacritics }: WordFilter, forms: WordForms = exactForms) {
    this.reading = readingOf(diacritics, forms);
    this.terms = this.#meaningful(termsOf(text, this.reading.compared));
    this.#match = match;
    this.#allBits = bitsBelow(this.terms.length);
    this.words = this.terms.flatMap((term, at) =>
      term.kind === 'word' ? [{ word: this.reading.stemOf(term.text), bit: bitAt(at) }] : [],
    );
    this.otherBits = (this.#allBits & ~this.words.reduce((all, { bit }) => all | bit, 0)) >>> 0;
    this.count = this.terms.length;
    const { isExact } = this.reading;
    const isNeeded = isExact && (match === 'all' || this.terms.length === 1);
    this.needed = isNeeded ? this.terms.flatMap(textsOf) : [];
  }

  /** Returns whether a record matches that has these terms, by their bits. */
  isMatch(bits: number): boolean {
    return this.#match === 'all' ? bits === this.#allBits : bits !== 0;
  }

  /** Returns the bits of the terms that are in folded texts, of those to look for. */
  bitsIn(texts: readonly string[], among = this.#allBits): number {
    let bits = 0;
    for (const text of texts) {
      if (text !== '') bits |= this.#bitsIn(text, among & ~bits);
    }
    return bits >>> 0;
  }

  #bitsIn(text: string, among: number): number {
    const runs = runsOf(text, this.reading.compared);
    const words = new Set<string>();
    for (const run of runs) if (!run.isPart) words.add(this.reading.stemOf(run.text));
    let bits = 0;
    for (const { word, bit } of this.words) if (words.has(word)) bits |= bit;
    for (const [at, term] of this.terms.entries()) {
      if (term.kind === 'word' || (among & bitAt(at)) === 0) continue;
      this.#findTerm(term, text, runs, () => (bits |= bitAt(at)));
    }
    return bits & among;
  }

  /** Returns how often each term is in folded texts, of those to look for; often is a few times. */
  timesIn(texts: readonly string[], among = this.#allBits): Uint8Array {
    const times = new Uint8Array(this.terms.length);
    for (const text of texts) if (text !== '') this.#countIn(text, among, times);
    return times;
  }

  #countIn(text: string, among: number, times: Uint8Array): void {
    if ((among & this.otherBits) === 0 && !NON_ASCII.test(text)) {
      const ascii = this.#asciiOf(text, among);
      ascii.each(0, text.length, (bit) => addTo(times, bit & among));
      return;
    }
    this.#countRunsIn(text, among, times);
  }

  #countRunsIn(text: string, among: number, times: Uint8Array): void {
    const runs = runsOf(text, this.reading.compared);
    const add = (at: number, more: number) => {
      times[at] = Math.min(SEARCH_TIMES_MAX, (times[at] ?? 0) + more);
    };
    const words = new Map<string, number>();
    for (const run of runs) {
      if (run.isPart) continue;
      const stem = this.reading.stemOf(run.text);
      words.set(stem, (words.get(stem) ?? 0) + 1);
    }
    for (const { word, bit } of this.words) {
      if ((among & bit) !== 0) add(indexOfBit(bit), words.get(word) ?? 0);
    }
    for (const [at, term] of this.terms.entries()) {
      if (term.kind === 'word' || (among & bitAt(at)) === 0) continue;
      this.#findTerm(term, text, runs, () => add(at, 1));
    }
  }

  /**
   * Reads a text, up to the next one, for some terms at least; the result says how often each term
   * is in a part of it that is read alone, as {@link timesIn} does, or nothing if none is.
   */
  timesWithin(
    text: string,
    among = this.#allBits,
  ): (from: number, to: number) => Uint8Array | undefined {
    const ascii = this.otherBits === 0 ? this.#asciiOf(text, among) : undefined;
    return (from, to) => {
      let times: Uint8Array | undefined;
      const count = (bit: number) => addTo((times ??= new Uint8Array(this.count)), bit);
      if (ascii?.each(from, to, count) === true) return times;
      times = new Uint8Array(this.count);
      this.#countRunsIn(foldText(text.slice(from, to)), this.#allBits, times);
      return times.every((often) => often === 0) ? undefined : times;
    };
  }

  #asciiOf(text: string, among: number): AsciiWords {
    this.#asciiWords ??= new AsciiWords(this.words, this.reading);
    this.#asciiWords.open(text, among);
    return this.#asciiWords;
  }

  /** Returns where the terms are in a folded text; ranges may overlap. */
  rangesIn(text: string): TextRange[] {
    const ranges: TextRange[] = [];
    this.#find(text, (_term, range) => ranges.push(range));
    return ranges;
  }

  #find(text: string, found: (term: Term, range: TextRange) => void): void {
    const runs = runsOf(text, this.reading.compared);
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
    const stem = this.reading.stemOf(word);
    for (const run of runs) {
      if (!run.isPart && this.reading.stemOf(run.text) === stem) found(run);
    }
  }

  /** Returns one term for the forms of each word, without stop words, unless all are. */
  #meaningful(terms: readonly Term[]): readonly Term[] {
    const { forms } = this.reading;
    const isStop = (term: Term) => term.kind === 'word' && forms.isStopWord(term.text);
    const telling = terms.filter((term) => !isStop(term));
    const kept = telling.length === 0 ? terms : telling;
    const stems = kept.map((term) =>
      term.kind === 'word' ? this.reading.stemOf(term.text) : term,
    );
    return kept.filter((_term, index) => stems.indexOf(stems[index] ?? '') === index);
  }
}

/** Counts a term once more, by its bit; nothing for 0. */
function addTo(times: Uint8Array, bit: number): void {
  if (bit === 0) return;
  const at = indexOfBit(bit);
  times[at] = Math.min(SEARCH_TIMES_MAX, (times[at] ?? 0) + 1);
}

function textsOf(term: Term): string[] {
  return term.kind === 'phrase' ? term.runs.map(({ text }) => text) : [term.text];
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
