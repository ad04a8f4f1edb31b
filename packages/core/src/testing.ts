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
} from './store-testing/store-conformance.js';
export { ManualClock } from './testing/manual-clock.js';
export { quickPasswords } from './testing/quick-passwords.js';
