/** Reads the clauses of the contract, and which of them each case shows. */
import type { ProjectFile } from '../tidy-files.ts';

/** A numbered clause, or a case. */
export interface Clause {
  /** As in the text, such as `MEM-29` or `MEM-C42`. */
  readonly id: string;
  /** Name of the page without its extension. */
  readonly page: string;
  readonly isCase: boolean;
  /** Clauses in the last column of a case: what holds for the case shows them. */
  readonly shows: readonly string[];
}

const pagePath = /^docs\/contract\/(?<page>[\w-]+)\.md$/u;
const anchor = /<a id="(?<id>[a-z]+-c?\d+)"><\/a>/u;
const link = /\]\((?:[\w-]+\.md)?#(?<id>[a-z]+-c?\d+)\)/gu;

const range =
  /#(?<prefix>[a-z]+)-(?<first>\d+)\) to \[[^\]]+\]\([^#)]*#\k<prefix>-(?<last>\d+)\)/gu;

/** Returns the clauses of the pages among these files, in their order. */
export function readClauses(files: readonly Pick<ProjectFile, 'path' | 'text'>[]): Clause[] {
  return files.flatMap(({ path, text }) => {
    const page = pagePath.exec(path)?.groups?.['page'];
    return page === undefined ? [] : text.split('\n').flatMap((line) => clauseOf(line, page));
  });
}

function clauseOf(line: string, page: string): Clause[] {
  const id = anchor.exec(line)?.groups?.['id']?.toUpperCase();
  if (id === undefined) return [];
  const isCase = /-C\d/u.test(id);
  const isRow = line.startsWith('|');
  const shown = isCase && isRow ? (line.split(' | ').at(-1) ?? '') : '';
  const shows = [...linksIn(shown), ...rangesIn(shown)];
  return [{ id, page, isCase, shows: shows.map((each) => each.toUpperCase()) }];
}

function linksIn(shown: string): string[] {
  return Array.from(shown.matchAll(link), ({ groups }) => groups?.['id'] ?? '');
}

/** Returns the ids between those of `[A](#a) to [B](#b)`. */
function rangesIn(shown: string): string[] {
  return Array.from(shown.matchAll(range), ({ groups = {} }) => {
    const [first, last] = [Number(groups['first']), Number(groups['last'])];
    const between = Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at);
    return between.map((number) => `${groups['prefix'] ?? ''}-${number}`);
  }).flat();
}
