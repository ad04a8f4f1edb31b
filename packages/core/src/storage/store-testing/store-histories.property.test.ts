/** Random histories leave every store of this package in the same state as a plain map. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, test } from 'vitest';
import { expectHistories } from '@agentkeep/testkit/store-histories';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { openLmdbStore } from '../lmdb-store/open-lmdb-store.js';

const parents: string[] = [];

afterAll(async () => {
  for (const parent of parents) await rm(parent, { recursive: true, force: true });
});

describe('random histories', () => {
  test('leave an in-memory store in the same state as a map', async () => {
    const newData = () => Promise.resolve(() => Promise.resolve(inMemoryStore()));
    await expectHistories({ newData, keepsOrder: true, reopens: false, runs: 300 });
  });

  test('leave an LMDB store in the same state as a map', async () => {
    const newData = async () => {
      const parent = await mkdtemp(join(tmpdir(), 'agentkeep-history-'));
      parents.push(parent);
      const directory = join(parent, 'store');
      return () => openLmdbStore({ directory, reserveBytes: 0, durability: 'relaxed' });
    };
    await expectHistories({ newData, keepsOrder: true, reopens: true, runs: 60 });
  });
});
