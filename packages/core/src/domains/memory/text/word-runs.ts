/**
 * The words of a text. A word is a run of letters, marks, digits and underscores. In scripts that
 * put no spaces between words, such a run is a whole clause, so parts of it are looked for.
 */
import { foldText } from './fold-text.js';
import { RUN } from './run-pattern.js';

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
export function comparedBy(diacritics: 'exact' | 'ignored'): Compared {
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
