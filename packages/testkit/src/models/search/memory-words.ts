/**
 * The words of searches from the contract alone (docs/contract/search.md#sea-6): every text is
 * taken apart character by character.
 */
import type { MemoryRecord, SearchFilterInput, SearchMatch } from '@agentkeep/core';

type Words = NonNullable<SearchFilterInput['words']>;

/** The three texts of a record. */
export function textsOf({ payload: { content } }: MemoryRecord): string[] {
  return [content.primary, content.secondary ?? '', content.context ?? ''];
}

/** How many distinct terms are in the texts of a record. */
export function wordsIn(record: MemoryRecord, words: Words): number {
  return termsIn(record, words).length;
}

/** The distinct terms that are in the texts of a record. */
export function termsIn(
  record: MemoryRecord,
  { text, diacritics = 'exact' }: Words,
): { readonly at: number; readonly said: string }[] {
  const texts = textsOf(record);
  const terms = termsOf(text, diacritics);
  return terms.flatMap((term, at) => {
    const isNew = !terms.slice(0, at).some((other) => isSame(term, other));
    const isFound = texts.some(
      (each) => placesOf(term, piecesOf(each, diacritics), each).length > 0,
    );
    return isNew && isFound ? [{ at, said: term.said }] : [];
  });
}

function isSame(one: TermModel, other: TermModel): boolean {
  return (
    one.isPrefix === other.isPrefix &&
    one.pieces.length === other.pieces.length &&
    one.pieces.every(({ text }, index) =>
      literal(text, 'iu', ['^', '$']).test(other.pieces[index]!.text),
    )
  );
}

/** Where words and substring are in the texts of a record. */
export function highlightsIn(
  record: MemoryRecord,
  { words: required = null, text_contains: part = null }: SearchFilterInput,
  ranked?: Words,
): NonNullable<SearchMatch['highlights']> {
  return (['primary', 'secondary', 'context'] as const).flatMap((member) => {
    const text = record.payload.content[member] ?? '';
    const marked = new Set<number>();
    const mark = (from: number, to: number) => {
      // Also between characters, so that places that touch are one.
      for (let at = 2 * from; at <= 2 * to; at += 1) marked.add(at);
    };
    if (part !== null && part !== '') {
      for (const { index, 0: found } of text.matchAll(literal(part, 'giu'))) {
        mark(index, index + found.length);
      }
    }
    for (const words of [required, ranked]) {
      if (words === null || words === undefined) continue;
      const { diacritics = 'exact' } = words;
      const pieces = piecesOf(text, diacritics);
      for (const term of termsOf(words.text, diacritics)) {
        for (const [from, to] of placesOf(term, pieces, text)) mark(from, to);
      }
    }
    const starts = [...marked].filter((at) => !marked.has(at - 1)).sort((a, b) => a - b);
    return starts.map((from) => {
      let to = from;
      while (marked.has(to + 1)) to += 1;
      return { member, from: from / 2, to: to / 2 };
    });
  });
}

/** Whether some texts have the words of a query. */
export function hasWords(
  { text, match = 'all', diacritics = 'exact' }: Words,
  texts: string[],
): boolean {
  const wanted = termsOf(text, diacritics);
  const has = (term: TermModel) =>
    texts.some((each) => placesOf(term, piecesOf(each, diacritics), each).length > 0);
  return match === 'all' ? wanted.every(has) : wanted.some(has);
}

/** A run of characters of one kind. */
interface Piece {
  readonly text: string;
  readonly isUnspaced: boolean;
  readonly start: number;
  readonly end: number;
}

interface TermModel {
  readonly pieces: readonly Piece[];
  readonly isPrefix: boolean;
  /** As the query has it. */
  readonly said: string;
}

const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}]/u;

function kindOf(char: string): 'unspaced' | 'word' | 'other' {
  if (char !== '_' && !/[\p{L}\p{M}\p{N}]/u.test(char)) return 'other';
  return UNSPACED.test(char) ? 'unspaced' : 'word';
}

function piecesOf(text: string, diacritics: 'exact' | 'ignored'): Piece[] {
  const runs: { text: string; kind: string; start: number; end: number }[] = [];
  let before = 'other';
  let end = 0;
  for (const char of text) {
    const kind = kindOf(char);
    end += char.length;
    const last = runs.at(-1);
    if (kind !== 'other' && kind === before && last !== undefined) {
      last.text += char;
      last.end = end;
    } else if (kind !== 'other') runs.push({ text: char, kind, start: end - char.length, end });
    before = kind;
  }
  return runs
    .map(({ text: run, kind, start, end: at }) => ({
      text:
        kind === 'word' && diacritics === 'ignored'
          ? Array.from(run.normalize('NFD'), (char) => (/\p{M}/u.test(char) ? '' : char)).join('')
          : run,
      isUnspaced: kind === 'unspaced',
      start,
      end: at,
    }))
    .filter((piece) => piece.text !== '');
}

function termsOf(text: string, diacritics: 'exact' | 'ignored'): TermModel[] {
  const sections = text.split('"');
  return sections.flatMap((section, index) => {
    const pieces = piecesOf(section, diacritics);
    const isQuoted = index % 2 === 1 && index + 1 < sections.length;
    const said = (piece: Piece) => section.slice(piece.start, piece.end);
    if (isQuoted && pieces.length > 1) {
      return [{ pieces, isPrefix: false, said: pieces.map(said).join(' ') }];
    }
    return pieces.map((piece) => ({
      pieces: [piece],
      said: said(piece),
      isPrefix: !isQuoted && !piece.isUnspaced && section[piece.end] === '*',
    }));
  });
}

/** Where a term is in a text, as starts and ends. */
function placesOf(
  { pieces, isPrefix }: TermModel,
  runs: readonly Piece[],
  whole: string,
): (readonly [from: number, to: number])[] {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined) {
    if (first.isUnspaced) {
      const found = whole.matchAll(literal(first.text, 'giu'));
      return Array.from(found, ({ index, 0: { length } }) => [index, index + length] as const);
    }
    const wanted = literal(first.text, 'iu', isPrefix ? ['^', ''] : ['^', '$']);
    const found = runs.filter((run) => !run.isUnspaced && wanted.test(run.text));
    return found.map(({ start, end }) => [start, end] as const);
  }
  return runs.flatMap((run, at) => {
    const isHere = pieces.every((piece, index) => {
      const other = runs[at + index];
      if (other?.isUnspaced !== piece.isUnspaced) return false;
      const isEnd = index === pieces.length - 1;
      const has = (ends: readonly [string, string]) =>
        literal(piece.text, 'iu', ends).test(other.text);
      return (
        has(['^', '$']) ||
        (piece.isUnspaced && index === 0 && has(['', '$'])) ||
        (piece.isUnspaced && isEnd && has(['^', '']))
      );
    });
    return isHere ? [[run.start, runs[at + pieces.length - 1]!.end] as const] : [];
  });
}

/** An expression that matches exactly a text, in either case. */
export function literal(
  text: string,
  flags: string,
  [before, after]: readonly [string, string] = ['', ''],
): RegExp {
  const escaped = Array.from(text, (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`).join('');
  return new RegExp(`${before}${escaped}${after}`, flags);
}
