/** Finds which tests show each case of the contract: those whose title or comment cites it. */
import type { ProjectFile } from '../tidy-files.ts';

/** A test that cites a case. */
export interface CaseTitle {
  /** Number of the case, such as `MEM-C42`. */
  readonly id: string;
  /** Path of the test file, from the root. */
  readonly path: string;
  /** What the test says that holds, without numbers of clauses. */
  readonly title: string;
}

const caseNumber = /\b[A-Z]{3,4}-C\d+\b/gu;
const numbers = /\b[A-Z]{3,4}-C?\d+\b(?:,| and| to)?\s*/gu;
const titled = /^\s*(?:\)\()?(?:[\w.]+(?:\(.*\))?\(\s*)?(?<quote>['"`])(?<title>.*?)\k<quote>,/u;

/**
 * Returns the titles of these files that cite cases, or stand before a comment that does. For a
 * title of numbers alone, such as that of a group, the next one stands.
 */
export function caseTitles(files: readonly Pick<ProjectFile, 'path' | 'text'>[]): CaseTitle[] {
  return files.filter(({ path }) => path.endsWith('.test.ts')).flatMap(titlesOf);
}

function titlesOf({ path, text }: Pick<ProjectFile, 'path' | 'text'>): CaseTitle[] {
  const found = new Map<string, CaseTitle>();
  let title = '';
  let waiting: string[] = [];
  for (const line of text.split('\n')) {
    title = titled.exec(line)?.groups?.['title']?.replaceAll(numbers, '') ?? title;
    waiting.push(...Array.from(line.matchAll(caseNumber), ([id]) => id));
    if (title === '') continue;
    for (const id of waiting) found.set(`${id} ${title}`, { id, path, title });
    waiting = [];
  }
  return Array.from(found.values());
}
