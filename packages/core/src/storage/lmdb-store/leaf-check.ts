/** Checks the leaves of a cleanly closed store while it is served. */
import { closeSync, openSync } from 'node:fs';
import { clearTimeout, setTimeout } from 'node:timers';
import { storeError } from '../store/store-error.js';
import { dataFileOf } from './data-file.js';
import { describeFault } from './data-pages.js';
import { checkPagesBeside } from './pages-beside.js';
import { readSettledSpace } from './data-header.js';

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
