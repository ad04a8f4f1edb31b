/**
 * All proofs, in the order in which they run.
 */
import { abuse } from './abuse/abuse.js';
import { clusterFailover } from './cluster/cluster-proof.js';
import { damagedFiles } from './faults/damaged-files.js';
import { failingCalls } from './faults/failing-calls.js';
import { fullVolume } from './faults/full-volume.js';
import { powerLoss } from './faults/power-loss.js';
import { suddenEnds } from './faults/sudden-ends.js';
import { contractFuzzer } from './fuzz/contract-fuzzer.js';
import { recordHistories, revocationHistories } from './histories/history-proofs.js';
import { commandKills } from './kills/command-kills.js';
import { modelHistories } from './model-proof.js';
import type { ProofProgram } from './proof.js';
import { soak } from './soak/soak.js';
import { stalledReader } from './soak/stalled-reader.js';
import { loginTiming } from './timing/login-timing.js';

/** Add new proofs here. */
export const proofs: readonly ProofProgram[] = [
  powerLoss,
  failingCalls,
  fullVolume,
  damagedFiles,
  suddenEnds,
  commandKills,
  clusterFailover,
  recordHistories,
  revocationHistories,
  modelHistories,
  contractFuzzer,
  abuse,
  loginTiming,
  soak,
  stalledReader,
];
