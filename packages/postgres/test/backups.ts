/**
 * Directories for the backups of the conformance suite. A backup is a data directory.
 */
import { openLmdbStore, type Store } from '@agentkeep/core';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** Creates directories that are removed after the tests of a file. */
export function backupsIn(prefix: string) {
  const parents: string[] = [];
  afterAll(async () => {
    for (const parent of parents) await rm(parent, { recursive: true, force: true });
  });
  return {
    newDirectory: async (): Promise<string> => {
      const parent = await mkdtemp(join(tmpdir(), prefix));
      parents.push(parent);
      return join(parent, 'copy');
    },
    openCopy: (directory: string): Promise<Store> => openLmdbStore({ directory }),
  };
}
