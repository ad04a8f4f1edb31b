/**
 * An object of a history: a record, key or credential.
 */
import type { Call } from './call.js';
import type { Verdict } from './linearizability.js';

/** One object with its calls. */
export interface Observed {
  readonly name: string;
  readonly calls: readonly Call[];
  /** Whether some calls are explained, if all others may or may not have happened. */
  readonly judge: (calls: readonly Call[], statesMax?: number) => Verdict;
}
