/**
 * A kind of step.
 */
import type { Play } from './play.js';

/** A kind of step that is possible at any time. Its choices come from the dice of the step. */
export interface Rule {
  readonly name: string;
  /** How often it is drawn, relative to others; 0 for never. */
  readonly weight: number;
  run(play: Play): Promise<void>;
}
