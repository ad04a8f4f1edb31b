/**
 * For tests of an embedding program: a manual clock and fast password hashing. For tests of a
 * store: the conformance suite.
 */
export {
  storeConformance,
  type ConformanceRunner,
} from './storage/store-testing/store-conformance.js';
export { sharedMemory } from './storage/in-memory-store/in-memory-store.js';
export { storeOver } from './storage/store-testing/store-over.js';
export { speculative } from './storage/store-testing/speculative-store.js';
export { ManualClock } from './testing/manual-clock.js';
export { quickPasswords } from './testing/quick-passwords.js';
