/** The conformance suite of the storage port, on sealed stores (ENC-7). */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newKeys, sealedOver } from '../../../test/key-kit.js';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { openLmdbStore } from '../lmdb-store/open-lmdb-store.js';
import { speculative } from '../store-testing/speculative-store.js';
import { storeConformance } from '../store-testing/store-conformance.js';
import type { Store } from '../store/store.js';

const sealed = async (below: Store): Promise<Store> => sealedOver(below, await newKeys());

const runner = { describe, test, expect };

storeConformance(runner, {
  name: 'sealed, in memory',
  open: () => sealed(inMemoryStore()),
  reopen: { reason: 'it keeps nothing' },
  backups: { reason: 'it has no files' },
});

storeConformance(runner, {
  name: 'sealed, over bodies that run again',
  open: () => sealed(speculative(inMemoryStore())),
  reopen: { reason: 'it keeps nothing' },
  backups: { reason: 'it has no files' },
});

storeConformance(runner, {
  name: 'sealed, LMDB',
  open: async () => {
    const directory = join(await mkdtemp(join(tmpdir(), 'agentkeep-sealed-')), 'data');
    return sealed(await openLmdbStore({ directory }));
  },
  reopen: { reason: 'the sealing keeps nothing of its own' },
  backups: { reason: 'the store below copies its bytes' },
});
