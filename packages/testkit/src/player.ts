/**
 * Plays random histories on a keep and on the model, and compares every answer.
 */
export { inStore, onDisk, type KeepStorage } from './player/keep-storage.js';
export { playHistories } from './player/play-histories.js';
export { closingSteps, playSteps, type Step, stepsOf } from './player/play-steps.js';
export { memoryRules } from './player/rules.js';
export { shrinkSteps } from './player/shrink-steps.js';
export { Tally } from './player/tally.js';
