/**
 * Counts the files that state one thing by hand: an operation, a member of a document, a stored
 * family, a store.
 *
 * A file counts if it has the name as a word. Generated files, pages outside of the contract,
 * changesets, examples and benchmarks don't count. All pages of the contract are one place, and so
 * are all tests, except tables: tests that name more than {@link TABLE_MIN} operations.
 */

/** A file of the project. */
export interface NamedFile {
  readonly path: string;
  readonly text: string;
}

/** The counts. Those of what has several names are medians: most are stated in so many files. */
export interface PlaceCounts {
  readonly operation: number;
  readonly member: number;
  /** A kind of stored entries. */
  readonly family: number;
  /** Files outside of its package that name the store with a package of its own. */
  readonly store: number;
  /** Files that list operations by name. */
  readonly tables: number;
}

/** What is looked for. */
export interface Names {
  readonly operations: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
  readonly families: ReadonlySet<string>;
  /** The folder of the store's package. */
  readonly store: string;
}

/** Fewest operations that a file names if it is a table of operations. */
export const TABLE_MIN = 30;

const UNCOUNTED =
  /^(?:bench|examples|docs\/(?!contract\/)|\.changeset\/.*\.md$)|\.md$|golden|tool-schemas/;
const CONTRACT = /^docs\/contract\/.*\.md$/;
const TEST = /\.test\.ts$|^packages\/[^/]+\/tests?\//;

/** Counts the places of what has a name, in files that are written by hand. */
export function countPlaces(files: readonly NamedFile[], names: Names): PlaceCounts {
  const operations = new StatingFiles(names.operations);
  const members = new StatingFiles(names.members);
  const families = new StatingFiles(names.families);
  const counted = files.filter(({ path }) => CONTRACT.test(path) || !UNCOUNTED.test(path));
  let tables = 0;
  for (const { path, text } of counted) {
    const words = new Set(text.match(/\w+/g));
    const isTable = [...words].filter((word) => names.operations.has(word)).length > TABLE_MIN;
    if (isTable && !CONTRACT.test(path)) tables += 1;
    const place = placeOf(path, isTable);
    operations.add(place, words);
    members.add(place, words);
    families.add(place, words);
  }
  const store = counted.filter(
    ({ path, text }) =>
      !path.startsWith(`${names.store}/`) &&
      !CONTRACT.test(path) &&
      (text.includes(names.store) || text.includes(names.store.replace('packages', '@agentkeep'))),
  );
  return {
    operation: operations.median(),
    member: members.median(),
    family: families.median(),
    store: store.length,
    tables,
  };
}

function placeOf(path: string, isTable: boolean): string {
  if (CONTRACT.test(path)) return 'the contract';
  return TEST.test(path) && !isTable ? 'the tests' : path;
}

/** The places of each name. */
class StatingFiles {
  readonly #byName: ReadonlyMap<string, Set<string>>;

  constructor(names: ReadonlySet<string>) {
    this.#byName = new Map([...names].map((name) => [name, new Set<string>()]));
  }

  add(place: string, words: ReadonlySet<string>): void {
    for (const word of words) this.#byName.get(word)?.add(place);
  }

  median(): number {
    const counts = [...this.#byName.values()].map(({ size }) => size).sort((a, b) => a - b);
    return counts[Math.floor(counts.length / 2)] ?? 0;
  }
}
