/** The terms of a query: words, words with `*` as prefixes, and phrases in double quotes. */
import { foldWithPlaces, type FoldedText } from '../../text/fold-text.js';
import { type Compared, type Run, runsOf } from '../../text/word-reading.js';

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
export function termsOf(query: string, compared?: Compared): Term[] {
  const { folded, shown } = foldWithPlaces(query);
  const sections = folded.split('"');
  const terms = new Map<string, Term>();
  let start = 0;
  for (const [index, section] of sections.entries()) {
    const runs = runsOf(section, compared);
    const said = saidIn(query, start, shown);
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

/** Returns how the query has runs of a section that starts at a place of its folded form. */
function saidIn(
  query: string,
  start: number,
  shown: FoldedText['shown'],
): (...runs: readonly Run[]) => string {
  const saidOf = (run: Run): string => {
    const { from, to } = shown({ from: start + run.from, to: start + run.to });
    return query.slice(from, to);
  };
  return (...runs) => runs.map(saidOf).join(' ');
}

function termOf({ text, isPart }: Run, isPrefix: boolean, said: string): Term {
  if (isPart) return { kind: 'part', text, said };
  return { kind: isPrefix ? 'prefix' : 'word', text, said };
}

function nameOf(term: Term): string {
  const texts = term.kind === 'phrase' ? term.runs.map(({ text }) => text) : [term.text];
  return `${term.kind} ${texts.join(' ')}`;
}
