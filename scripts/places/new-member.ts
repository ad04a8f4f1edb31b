/**
 * What it takes to add an optional member to a document that is stored, set by a request, shown,
 * listed, exported and imported: these lines, beside its clause and its tests. Validation, types,
 * `openapi.json`, flags and Python's documents follow from the schema. A method of the clients that
 * takes the member as an argument names it too, once in TypeScript and once in Python.
 *
 * The member is added to branches.
 */

/** The member that is added, and the one whose lines it repeats. */
export const ADDED = 'note';
export const LIKE = 'purpose';

/** Most files by hand, with the page of the contract and a file of tests. */
export const FILES_MAX = 5;

/** What is added to a file. */
export interface AddedLines {
  readonly path: string;
  /** Matches the lines after which one is added. */
  readonly after: RegExp;
  /** The added line; else that before it, for the new member. */
  readonly line?: string;
  readonly lines: number;
}

const like = new RegExp(`^\\s*${LIKE}:`, 'u');

/** The files to change. */
export const places: readonly AddedLines[] = [
  // The request and the answer.
  {
    path: 'packages/core/src/domains/memory/branching/branch-schema.ts',
    after: like,
    lines: 2,
  },
  // The stored fields.
  { path: 'packages/core/src/domains/memory/branch/branch-store.ts', after: like, lines: 1 },
  // A proposal begins with the fields of a branch, and has none that a request made.
  {
    path: 'packages/core/src/domains/memory/writing/propose-changes.ts',
    after: new RegExp(`^ {4}${LIKE},$`, 'u'),
    line: `    ${ADDED}: null,`,
    lines: 1,
  },
];
