/**
 * Finds the clauses of the contract that no test cites. A test cites a clause by its number, such
 * as `MEM-29`, in its title or in a comment beside the assertion. The sentence at the top of a file
 * says what the file is about and cites nothing. A cited case stands for its clauses.
 */
import type { ProjectFile } from '../tidy-files.ts';
import type { Clause } from './clauses.ts';

/** What the check is told: see `packages/contract-cases/citations.json`. */
export interface CitationRules {
  /** Pages and clauses that no test can show, each with the reason. */
  readonly untestable: Readonly<Record<string, string>>;
  /** By page, how many clauses no test cites yet. */
  readonly uncited: Readonly<Record<string, number>>;
}

type File = Pick<ProjectFile, 'path' | 'text'>;

const moduleSentence = /^\/\*\*[\s\S]*?\*\//u;
const number = /\b(?:[A-Z]{3,4}-C?\d+|docs\/contract\/[\w-]+\.md#(?<anchor>[a-z]+-c?\d+))\b/gu;

/** Whether a file has tests, or what they assert with. */
function isTestFile({ path }: Pick<File, 'path'>): boolean {
  return /\.test\.ts$|^packages\/[\w-]+\/test\/.*\.ts$|^packages\/proof\/src\/.*\.ts$/u.test(path);
}

/** Returns the numbers that a test file cites; some may be no clauses, such as `ISO-8601`. */
export function numbersIn(text: string): string[] {
  const matches = text.replace(moduleSentence, '').matchAll(number);
  return Array.from(matches, ([whole, anchor]) => (anchor ?? whole).toUpperCase());
}

/** Returns the clauses that no test cites and that are not listed as untestable. */
export function findUncited(
  clauses: readonly Clause[],
  files: readonly File[],
  { untestable }: Pick<CitationRules, 'untestable'>,
): Clause[] {
  const cited = new Set(files.filter(isTestFile).flatMap(({ text }) => numbersIn(text)));
  for (const { id, shows } of clauses) if (cited.has(id)) for (const each of shows) cited.add(each);
  return clauses.filter(
    ({ id, page }) => !(cited.has(id) || id in untestable || page in untestable),
  );
}

/** Returns what is wrong with the citations, in sentences. */
export function judgeCitations(
  clauses: readonly Clause[],
  files: readonly File[],
  rules: CitationRules,
): string[] {
  return [
    ...repeatedNumbers(clauses),
    ...unknownNumbers(clauses, files),
    ...staleEntries(clauses, files, rules),
    ...wrongCeilings(clauses, findUncited(clauses, files, rules), rules),
  ];
}

function repeatedNumbers(clauses: readonly Clause[]): string[] {
  const first = new Map(Array.from(clauses, (each) => [each.id, each] as const).reverse());
  return clauses
    .filter((each) => first.get(each.id) !== each)
    .map(({ id, page }) => `${page} has ${id} twice. Give one of the two the next free number.`);
}

function unknownNumbers(clauses: readonly Clause[], files: readonly File[]): string[] {
  const known = new Set(clauses.map(({ id }) => id));
  const prefixes = new Set(clauses.map(({ id }) => prefixOf(id)));
  return files.filter(isTestFile).flatMap(({ path, text }) =>
    numbersIn(text)
      .filter((id) => prefixes.has(prefixOf(id)) && !known.has(id))
      .map((id) => `${path} cites ${id}, which does not exist.`),
  );
}

function staleEntries(
  clauses: readonly Clause[],
  files: readonly File[],
  { untestable }: CitationRules,
): string[] {
  const open = new Set(
    findUncited(clauses, files, { untestable: {} }).flatMap(({ id, page }) => [id, page]),
  );
  return Object.keys(untestable)
    .filter((entry) => !open.has(entry))
    .map((entry) => `${entry} is listed as untestable, but a test cites it or it does not exist.`);
}

function wrongCeilings(
  clauses: readonly Clause[],
  found: readonly Clause[],
  { uncited }: CitationRules,
): string[] {
  const pages = new Set([...clauses.map(({ page }) => page), ...Object.keys(uncited)]);
  return Array.from(pages).flatMap((page) => {
    const count = found.filter((clause) => clause.page === page).length;
    const ceiling = uncited[page] ?? 0;
    if (count === ceiling) return [];
    const advice = count > ceiling ? 'Cite the new ones in tests' : `Lower the number to ${count}`;
    return [`${page} has ${count} clauses that no test cites, not ${ceiling}. ${advice}.`];
  });
}

function prefixOf(id: string): string {
  return id.slice(0, id.indexOf('-'));
}
