/**
 * All proofs, in the order in which they are run.
 * @module
 */
import { recordHistories, revocationHistories } from './histories/history-proofs.js';
import { modelHistories } from './models/model-proof.js';
import type { Proof } from './proof.js';

/** To add a proof, add it here. */
export const proofs: readonly Proof[] = [recordHistories, revocationHistories, modelHistories];
