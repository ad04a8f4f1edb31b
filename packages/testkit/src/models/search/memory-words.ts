/**
 * The words of searches from the contract alone (docs/contract/search.md#sea-6): every text is
 * taken apart character by character.
 */
import type { MemoryRecord, SearchFilterInput, SearchMatch } from '@agentkeep/core';
import { equated, equatedWithPlaces } from './equated.js';

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
): { readonly at: number; readonly said: string; readonly times: number }[] {
  const texts = textsOf(record).map(equated);
  const terms = termsOf(text, diacritics);
  return terms.flatMap((term, at) => {
    const isNew = !terms.slice(0, at).some((other) => isSame(term, other));
    const places = texts.flatMap((each) => placesOf(term, piecesOf(each, diacritics), each));
    return isNew && places.length > 0 ? [{ at, said: term.said, times: places.length }] : [];
  });
}

function isSame(one: TermModel, other: TermModel): boolean {
  return (
    one.isPrefix === other.isPrefix &&
    one.pieces.length === other.pieces.length &&
    one.pieces.every(({ text }, index) => text === other.pieces[index]!.text)
  );
}

/** Where words and substring are in the texts of a record. */
export function highlightsIn(
  record: MemoryRecord,
  { words: required = null, text_contains: part = null }: SearchFilterInput,
  ranked?: Words,
): NonNullable<SearchMatch['highlights']> {
  return (['primary', 'secondary', 'context'] as const).flatMap((member) => {
    const { text, original } = equatedWithPlaces(record.payload.content[member] ?? '');
    const marked = new Set<number>();
    const mark = (start: number, end: number) => {
      const [from, to] = original(start, end);
      // Also between characters, so that places that touch are one.
      for (let at = 2 * from; at <= 2 * to; at += 1) marked.add(at);
    };
    for (const [from, to] of partsOf(equated(part ?? ''), text)) mark(from, to);
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
    texts.map(equated).some((each) => placesOf(term, piecesOf(each, diacritics), each).length > 0);
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
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Hangul}]/u;

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
          ? equated(run.normalize('NFD').replaceAll(/\p{M}/gu, ''))
          : run,
      isUnspaced: kind === 'unspaced',
      start,
      end: at,
    }))
    .filter((piece) => piece.text !== '');
}

function termsOf(query: string, diacritics: 'exact' | 'ignored'): TermModel[] {
  const { text, original } = equatedWithPlaces(query);
  const sections = text.split('"');
  let before = 0;
  return sections.flatMap((section, index) => {
    const pieces = piecesOf(section, diacritics);
    const isQuoted = index % 2 === 1 && index + 1 < sections.length;
    const start = before;
    before += section.length + 1;
    const said = (piece: Piece) => query.slice(...original(start + piece.start, start + piece.end));
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
    if (first.isUnspaced) return partsOf(first.text, whole);
    const found = runs.filter(
      ({ isUnspaced, text }) =>
        !isUnspaced && (isPrefix ? text.startsWith(first.text) : text === first.text),
    );
    return found.map(({ start, end }) => [start, end] as const);
  }
  return runs.flatMap((run, at) => {
    const isHere = pieces.every((piece, index) => {
      const other = runs[at + index];
      if (other?.isUnspaced !== piece.isUnspaced) return false;
      const isEnd = index === pieces.length - 1;
      return (
        piece.text === other.text ||
        (piece.isUnspaced && index === 0 && other.text.endsWith(piece.text)) ||
        (piece.isUnspaced && isEnd && other.text.startsWith(piece.text))
      );
    });
    return isHere ? [[run.start, runs[at + pieces.length - 1]!.end] as const] : [];
  });
}

/** Where a part is in a text, without overlaps. */
function partsOf(part: string, text: string): (readonly [from: number, to: number])[] {
  if (part === '') return [];
  let end = -part.length;
  return text.split(part).flatMap((piece, index, { length }) => {
    end += piece.length + part.length;
    return index + 1 < length ? [[end, end + part.length] as const] : [];
  });
}
