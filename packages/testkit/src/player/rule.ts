/**
 * One sort of step.
 */
import type { Play } from './play.js';

/** Something that can be done at any time; all its choices come from the dice of the step. */
export interface Rule {
  readonly name: string;
  /** How often it comes up, compared with others. */
  readonly weight: number;
  run(play: Play): Promise<void>;
}
