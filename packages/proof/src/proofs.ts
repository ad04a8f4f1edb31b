/**
 * All proofs, in the order in which they are run.
 * @module
 */
import { contractFuzzer } from './fuzz/contract-fuzzer.js';
import type { Proof } from './proof.js';

/** To add a proof, add it here. */
export const proofs: readonly Proof[] = [contractFuzzer];
