/**
 * What tests of an embedding program need (time that stands still until it is moved, passwords that
 * cost nothing), and what those of a store do: the conformance suite.
 *
 * @module
 */
export {
  storeConformance,
  type BackupSubject,
  type ConformanceRunner,
  type ConformanceSubject,
  type Inapplicable,
} from './storage/store-testing/store-conformance.js';
export { sharedMemory, type SharedMemory } from './storage/in-memory-store/in-memory-store.js';
export { storeOver } from './storage/store-testing/store-over.js';
export { speculative } from './storage/store-testing/speculative-store.js';
export { ManualClock } from './testing/manual-clock.js';
export { quickPasswords } from './testing/quick-passwords.js';
