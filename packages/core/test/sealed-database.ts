/**
 * Encrypted stores for `AGENTKEEP_TEST_STORE`, so that all tests that run on any store run on them:
 * `npm run test:stores -- memory packages/core/test/sealed-database.ts`.
 */
import { openSealed } from '../src/storage/key-files/open-sealed.js';
import { sharedMemory } from '../src/storage/in-memory-store/in-memory-store.js';
import { newKeys } from './key-kit.js';

/** Makes an empty, encrypted database in memory. */
export async function newDatabase() {
  const memory = sharedMemory();
  const keys = await newKeys();
  const parts = { dataDir: undefined, now: () => Date.now() };
  return {
    open: async () => (await openSealed(memory.open(), keys, parts)).store,
    drop: () => Promise.resolve(),
  };
}
