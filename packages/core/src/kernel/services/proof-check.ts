/** What the check of a proof needs beside the stored state. */
import type { ReadEffects } from '../access/principal.js';
import type { UseLog } from './use-log.js';

/** The time of a check, and where it records the use of a proof. */
export interface ProofCheck {
  readonly nowMs: number;
  /** Records each valid proof, if there are `effects`. */
  readonly uses: UseLog;
  readonly effects: ReadEffects | undefined;
}
