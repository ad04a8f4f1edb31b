/**
 * Checks the pages in use of a data file. LMDB trusts them: some kinds of damage end the process,
 * others return wrong data.
 */
import { setImmediate } from 'node:timers/promises';
import { PageFault, PageReader, type PageBounds } from './page-reader.js';
import type { TreeRecord } from './page-layout.js';
import { TreeWalk } from './tree-walk.js';

/** Groups of leaves that are checked before the check yields to other work. */
const SLICE_STEPS = 8;

/** Most upper branches of a tree that {@link checkUpperPages} reads. Each delays the opening. */
const UPPER_PAGES_MAX = 16;

/** The trees and the size of a data file, as its newest header says. */
export interface PageSpace extends PageBounds {
  /** Number of the transaction that wrote the header. */
  readonly transaction: bigint;
  readonly freeTree: TreeRecord;
  readonly mainTree: TreeRecord;
}

/**
 * Reads every page in use.
 *
 * @throws {PageFault}
 */
export async function checkPages(fd: number, space: PageSpace): Promise<void> {
  const reader = new PageReader(fd, space);
  const main = new TreeWalk(reader);
  await finish(main, space.mainTree);
  for (const tree of main.nested.values()) await finish(new TreeWalk(reader), tree);
  const free = new TreeWalk(reader, { order: 'numbers' });
  await finish(free, space.freeTree);
  for (const page of free.freePages) reader.checkFree(page);
}

/**
 * Reads the pages that LMDB needs to open a file and to find free pages, and the upper branches of
 * each tree, whose number hardly depends on the size of the file.
 *
 * @throws {PageFault}
 */
export async function checkUpperPages(fd: number, space: PageSpace): Promise<void> {
  const reader = new PageReader(fd, space);
  const main = new TreeWalk(reader);
  await finish(main, space.mainTree);
  await finish(new TreeWalk(reader, { order: 'numbers' }), space.freeTree);
  for (const tree of main.nested.values()) {
    const walk = new TreeWalk(reader);
    if (tree.depth === 1) await finish(walk, tree);
    else walk.checkBranches(tree, UPPER_PAGES_MAX);
  }
}

/** Returns the message of the fault that a check throws: a predicate about the file. */
export async function describeFault(
  check: () => Promise<void> | void,
): Promise<string | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof PageFault) return error.message;
    throw error;
  }
}

async function finish(walk: TreeWalk, tree: TreeRecord): Promise<void> {
  for (let steps = 1; walk.step(tree); steps += 1) {
    if (steps % SLICE_STEPS === 0) await setImmediate();
  }
  requireCounts(walk, tree);
}

/**
 * Compares the counts of a walk with the record of its tree.
 *
 * @throws {PageFault} if they differ.
 */
export function requireCounts(walk: TreeWalk, tree: TreeRecord): void {
  if (!walk.hasFound(tree)) throw new PageFault('does not match its header');
}
