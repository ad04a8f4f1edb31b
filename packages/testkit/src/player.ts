/**
 * Plays random histories on a keep and on the model, and compares every answer.
 */
export { type Medium, playSteps, type Step, stepsOf } from './player/run-model.js';
export { shrinkSteps } from './player/shrink-steps.js';
export { Tally } from './player/tally.js';
