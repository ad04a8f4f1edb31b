/** The conformance suite of the storage port, on sealed stores. */
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newKeys } from '../../../test/key-kit.js';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { openLmdbStore } from '../lmdb-store/open-lmdb-store.js';
import { speculative } from '../store-testing/speculative-store.js';
import { storeConformance } from '../store-testing/store-conformance.js';
import type { Store } from '../store/store.js';
import { KeyRing } from '../sealing/key-ring.js';
import { SealedStore } from '../sealing/sealed-store.js';
import { TenantMarks } from '../sealing/tenant-marks.js';
import { KeyDirectory } from './key-directory.js';
import { openRootKey } from './root-key.js';

/** Without the note that a store is encrypted, which would be an entry too many for the cases. */
async function sealed(below: Store): Promise<Store> {
  const { keysDir, rootKey } = await newKeys();
  const source = await KeyDirectory.open(keysDir, await openRootKey(rootKey));
  const ring = new KeyRing({ source, marks: new TenantMarks(below), now: () => Date.now() });
  return new SealedStore(below, ring, { isComplete: true });
}

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
