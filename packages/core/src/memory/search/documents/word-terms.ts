/**
 * Words of texts and queries. A word is a run of letters, marks, digits and underscores. In scripts
 * that put no spaces between words, such a run is a whole clause, so parts of it are looked for.
 */
import { foldCase } from '../../text/case-fold.js';

/** Characters of scripts that put no spaces between words. */
const UNSPACED = [
  ...['Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'],
]
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const RUN = new RegExp(
  `(?<part>(?:(?=[${UNSPACED}])[\\p{L}\\p{M}\\p{N}])+)|(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}_])+`,
  'gu',
);
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
const withoutMarks: Compared = (folded) => foldCase(folded.normalize('NFD').replaceAll(MARKS, ''));

/** Returns how runs are compared. */
export function comparedBy(diacritics: 'exact' | 'ignored'): Compared {
  return diacritics === 'exact' ? asTheyAre : withoutMarks;
}

/** Returns the runs of a folded text. Folding keeps the places of characters. */
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

/** What a text must contain. */
export type Term = SaidTerm &
  (
    | { readonly kind: 'word' | 'prefix' | 'part'; readonly text: string }
    | { readonly kind: 'phrase'; readonly runs: readonly Run[] }
  );

interface SaidTerm {
  /** As the query has it, without quotes and `*`. */
  readonly said: string;
}

/**
 * Returns the distinct terms of a query: words, words with `*` as prefixes, and phrases in double
 * quotes. A quote without a second one counts as a space.
 */
export function termsOf(query: string, compared: Compared = asTheyAre): Term[] {
  const folded = foldCase(query);
  const sections = folded.split('"');
  const terms = new Map<string, Term>();
  let start = 0;
  for (const [index, section] of sections.entries()) {
    const runs = runsOf(section, compared);
    const said = saidIn(query, start);
    const isQuoted = index % 2 === 1 && index < sections.length - 1;
    const isPhrase = isQuoted && runs.length > 1;
    const found = isPhrase
      ? [{ kind: 'phrase', runs, said: said(...runs) } as const]
      : runs.map((run) => termOf(run, !isQuoted && section[run.to] === '*', said(run)));
    for (const term of found) {
      const name = nameOf(term);
      if (!terms.has(name)) terms.set(name, term);
    }
    start += section.length + 1;
  }
  return [...terms.values()];
}

/** Folding keeps the places of characters, so those of runs are those in the query. */
function saidIn(query: string, start: number): (...runs: readonly Run[]) => string {
  return (...runs) => runs.map(({ from, to }) => query.slice(start + from, start + to)).join(' ');
}

function termOf({ text, isPart }: Run, isPrefix: boolean, said: string): Term {
  if (isPart) return { kind: 'part', text, said };
  return { kind: isPrefix ? 'prefix' : 'word', text, said };
}

function nameOf(term: Term): string {
  const texts = term.kind === 'phrase' ? term.runs.map(({ text }) => text) : [term.text];
  return `${term.kind} ${texts.join(' ')}`;
}
