/**
 * The directory for temporary files of one run of the tests: what a test leaves there goes with it.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { env } from 'node:process';
import type { Plugin } from 'vitest/config';

/** Short, because the path of a socket has at most 107 bytes. */
const prefix = 'ak-';

/** Makes the directory before the first project starts, and removes it after the last has ended. */
export const runDirectory: Plugin = {
  name: 'run-directory',
  configureVitest: ({ vitest }) => {
    // Each project loads this module anew.
    if (basename(tmpdir()).startsWith(prefix)) return;
    const directory = mkdtempSync(join(tmpdir(), prefix));
    // The user of a database server writes there too.
    chmodSync(directory, 0o1777);
    env['TMPDIR'] = directory;
    vitest.onClose(() => {
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    });
  },
};
