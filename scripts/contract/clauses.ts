/** Reads the clauses of the contract, its cases, and which clauses each case shows. */
import type { ProjectFile } from '../tidy-files.ts';

/** A numbered clause, or a case. */
export interface Clause {
  /** As in the text, such as `MEM-29` or `MEM-C42`. */
  readonly id: string;
  /** Name of the page without its extension. */
  readonly page: string;
  readonly isCase: boolean;
  /** Of a case, the clauses that a test of it shows. */
  readonly shows: readonly string[];
}

/** By page and case, its clauses: see `packages/contract-cases/cases.json`. */
export type Cases = Readonly<Record<string, Readonly<Record<string, string>>>>;

const pagePath = /^docs\/contract\/(?<page>[\w-]+)\.md$/u;
const anchor = /<a id="(?<id>[a-z]+-\d+)"><\/a>/u;
const shownClauses = /\b(?<prefix>[A-Z]{3,4})-(?<first>\d+)(?: to [A-Z]{3,4}-(?<last>\d+))?/gu;

/** Returns the clauses of the pages among these files, in their order. */
export function readClauses(files: readonly Pick<ProjectFile, 'path' | 'text'>[]): Clause[] {
  return files.flatMap(({ path, text }) => {
    const page = pagePath.exec(path)?.groups?.['page'];
    return page === undefined ? [] : text.split('\n').flatMap((line) => clauseOf(line, page));
  });
}

function clauseOf(line: string, page: string): Clause[] {
  const id = anchor.exec(line)?.groups?.['id']?.toUpperCase();
  return id === undefined ? [] : [{ id, page, isCase: false, shows: [] }];
}

/** Returns the cases of all pages. */
export function readCases(cases: Cases): Clause[] {
  return Object.entries(cases).flatMap(([page, ofPage]) =>
    Object.entries(ofPage).map(([id, shown]) => ({
      id,
      page,
      isCase: true,
      shows: shownBy(shown),
    })),
  );
}

/** Returns the ids of `MEM-1, MEM-4 to MEM-6`. */
function shownBy(text: string): string[] {
  return Array.from(text.matchAll(shownClauses), ({ groups = {} }) => {
    const first = Number(groups['first']);
    const last = Number(groups['last'] ?? first);
    const numbers = Array.from({ length: last - first + 1 }, (_, at) => first + at);
    return numbers.map((number) => `${groups['prefix'] ?? ''}-${number}`);
  }).flat();
}
