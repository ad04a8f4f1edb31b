/**
 * Checks the leaves of a cleanly closed store while it is served, beside the writes of its owner.
 */
import { closeSync, openSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { storeError } from '../store/store-error.js';
import { dataFileOf } from './data-file.js';
import { readSettledSpace } from './data-header.js';
import { describeFault, type PageSpace, requireCounts } from './data-pages.js';
import type { TreeRecord } from './page-layout.js';
import { PageFault, PageReader } from './page-reader.js';
import { TreeWalk } from './tree-walk.js';

/** Time after an opening at which the check begins, so that the first calls do not wait for it. */
const BEGIN_MS = 100;

/** A check that runs beside other work. */
export interface LeafCheck {
  /** Ends the check, and resolves once it no longer reads. */
  stop(): Promise<void>;
}

/**
 * Starts the check of a directory's data file soon. Calls `onFault` with a `storage_inconsistency`
 * for the first damaged page, and with the error of the disk if the file cannot be read.
 */
export function startLeafCheck(directory: string, onFault: (error: unknown) => void): LeafCheck {
  const path = dataFileOf(directory);
  let isClosing = false;
  const run = async (): Promise<void> => {
    const fd = openSync(path, 'r');
    try {
      const readSpace = () => readSettledSpace(fd);
      const file = { fd, readSpace, isClosing: () => isClosing };
      const fault = await describeFault(() => checkPagesBeside(file));
      if (fault !== undefined) throw storeError('storage_inconsistency', `${path} ${fault}.`);
    } finally {
      closeSync(fd);
    }
  };
  let running: Promise<void> | undefined;
  const beginning = setTimeout(() => {
    running = run().catch(onFault);
  }, BEGIN_MS).unref();
  return {
    stop: async () => {
      clearTimeout(beginning);
      isClosing = true;
      await running;
    },
  };
}

/** A file whose owner may write to it. */
export interface WrittenFile {
  readonly fd: number;
  /** Reads the newest header. */
  readonly readSpace: () => PageSpace;
  /** Returns whether the check may end, because its result is no longer needed. */
  readonly isClosing: () => boolean;
}

/**
 * Reads every branch and then every leaf, in slices: each slice follows the current trees from the
 * key that the previous one reached. If nothing was written meanwhile, it finds all that
 * `checkPages` finds; otherwise all but wrong counts and pages with two uses.
 *
 * @throws {PageFault}
 */
export async function checkPagesBeside(file: WrittenFile): Promise<void> {
  // Branches are few, and a damaged one misleads every read below it.
  await checkDownTo('branch', file);
  await checkDownTo('leaf', file);
}

async function checkDownTo(lowest: 'branch' | 'leaf', file: WrittenFile): Promise<void> {
  const trees = new WrittenTrees(file, lowest);
  for (const name of trees.names()) {
    const walk = new TreeWalk(trees.reader, { lowest });
    while (trees.step(name, walk)) {
      await setImmediate();
      if (file.isClosing()) return;
    }
  }
}

/** The trees of a file, as of its newest header. */
class WrittenTrees {
  readonly #file: WrittenFile;
  readonly #lowest: 'branch' | 'leaf';
  readonly reader: PageReader;
  #space: PageSpace;
  #nested: ReadonlyMap<string, TreeRecord>;
  #isChanged = false;

  constructor(file: WrittenFile, lowest: 'branch' | 'leaf') {
    this.#file = file;
    this.#lowest = lowest;
    this.#space = file.readSpace();
    this.reader = new PageReader(file.fd, this.#space);
    this.#nested = this.#readNested();
  }

  names(): readonly string[] {
    return [...this.#nested.keys()];
  }

  /**
   * Checks the next pages of a tree. Returns whether there are more.
   *
   * @throws {PageFault}
   */
  step(name: string, walk: TreeWalk): boolean {
    for (;;) {
      const space = this.#file.readSpace();
      try {
        this.#follow(space, walk);
        const tree = this.#nested.get(name);
        if (tree === undefined) return false;
        if (walk.step(tree)) return true;
        if (!this.#isChanged && this.#lowest === 'leaf') requireCounts(walk, tree);
        return false;
      } catch (error) {
        // Pages may have been replaced while they were read.
        const isStale = this.#file.readSpace().transaction !== space.transaction;
        if (!isStale || !(error instanceof PageFault)) throw error;
      }
    }
  }

  #follow(space: PageSpace, walk: TreeWalk): void {
    if (space.transaction === this.#space.transaction) return;
    this.#isChanged = true;
    this.#space = space;
    this.reader.follow(space);
    walk.forgetPath();
    this.#nested = this.#readNested();
  }

  #readNested(): ReadonlyMap<string, TreeRecord> {
    const main = new TreeWalk(this.reader);
    while (main.step(this.#space.mainTree));
    return main.nested;
  }
}
