/** Checks the leaves of a cleanly closed store while it is served. */
import { closeSync, openSync } from 'node:fs';
import { storeError } from '../store/store-error.js';
import { dataFileOf } from './data-file.js';
import { readPageSpace } from './data-header.js';
import { describeFault, type PageSpace } from './data-pages.js';
import { PageFault } from './page-reader.js';
import { checkPagesBeside } from './pages-beside.js';

/** Time after an opening at which the check begins, so that the first calls do not wait for it. */
const BEGIN_MS = 100;

/** A check that runs beside other work. */
export interface LeafCheck {
  /** Ends the check, and resolves once it no longer reads. */
  stop(): Promise<void>;
}

/**
 * Starts the check of a directory's data file soon. Calls `onFault` with a `storage_inconsistency`
 * for the first damaged page, and with what the disk answers if the file cannot be read.
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

/**
 * Reads the newest header until two reads agree, because a commit may write it meanwhile.
 *
 * @throws {PageFault}
 */
function readSettledSpace(fd: number): PageSpace {
  let space = readAgain(fd);
  for (;;) {
    const next = readAgain(fd);
    if (isSameHeader(space, next)) return next;
    space = next;
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
