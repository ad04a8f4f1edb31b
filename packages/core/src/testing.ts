/**
 * What tests of an embedding program need: time that stands still until it is moved.
 *
 * @module
 */
export { ManualClock } from './testing/manual-clock.js';
