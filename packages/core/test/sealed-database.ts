/**
 * Encrypted stores for `AGENTKEEP_TEST_STORE`, so that all tests that run on any store run on them:
 * `npm run test:stores -- memory packages/core/test/sealed-database.ts`.
 */
import { sharedMemory } from '../src/storage/in-memory-store/in-memory-store.js';
import { newKeys, sealedOver } from './key-kit.js';

/** Makes an empty, encrypted database in memory. */
export async function newDatabase() {
  const memory = sharedMemory();
  const keys = await newKeys();
  return {
    open: () => sealedOver(memory.open(), keys),
    drop: () => Promise.resolve(),
  };
}
