/** Reads the headers of a data file while its owner may write to them. */
import { readSync } from 'node:fs';
import { readPageSpace } from './data-header.js';
import type { PageSpace } from './data-pages.js';
import { PageFault } from './page-reader.js';

/** The two header pages of a data file, and what the newer one says. */
export interface SettledHeaders {
  readonly bytes: Uint8Array;
  readonly space: PageSpace;
}

/**
 * Reads the newest header until two reads agree, because a commit may write it meanwhile.
 *
 * @throws {PageFault}
 */
export function readSettledSpace(fd: number): PageSpace {
  let space = readAgain(fd);
  for (;;) {
    const next = readAgain(fd);
    if (isSameHeader(space, next)) return next;
    space = next;
  }
}

/**
 * Reads both header pages as they are between two commits.
 *
 * @throws {PageFault}
 */
export function readSettledHeaders(fd: number): SettledHeaders {
  for (;;) {
    const space = readSettledSpace(fd);
    const bytes = Buffer.alloc(2 * space.pageBytes);
    readSync(fd, bytes, 0, bytes.length, 0);
    if (isSameHeader(space, readSettledSpace(fd))) return { bytes, space };
  }
}

/** Reads the header, once more if it seems damaged: it may have been half written. */
function readAgain(fd: number): PageSpace {
  try {
    return readPageSpace(fd);
  } catch (error) {
    if (!(error instanceof PageFault)) throw error;
    return readPageSpace(fd);
  }
}

function isSameHeader(one: PageSpace, other: PageSpace): boolean {
  return (
    one.transaction === other.transaction &&
    one.lastPage === other.lastPage &&
    one.mainTree.root === other.mainTree.root &&
    one.freeTree.root === other.freeTree.root
  );
}
