/**
 * What a history is looked at for: one thing at a time.
 * @module
 */
import type { Call } from './call.js';
import type { Verdict } from './linearizability.js';

/** One thing with the calls that concern it. */
export interface Observed {
  readonly name: string;
  readonly calls: readonly Call[];
  /** Whether some of these calls can be explained, if any others may or may not have happened. */
  readonly judge: (calls: readonly Call[], statesMax?: number) => Verdict;
}
