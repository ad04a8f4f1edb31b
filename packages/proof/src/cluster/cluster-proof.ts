/**
 * Proof: a cluster that loses its primary, its network or a server loses nothing acknowledged, and
 * one that does not wait for copies does.
 */
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { playSession } from './play.js';
import type { RoundRow } from './rounds.js';
import { faultsOf } from './rounds-table.js';

const ROUNDS = { short: 2, full: 5 } as const;
const CONTROL = 1;

/** A short form of `npm run test:cluster`. */
export const clusterFailover: ProofProgram = {
  name: 'cluster failover',
  claim: 'A cluster that fails over loses no acknowledged command, and its control loses some.',
  // It waits for elections, each of which takes about 20 seconds.
  measures: true,
  run: runRounds,
};

async function runRounds(run: ProofRun): Promise<Finding> {
  const { seed, scale } = run;
  const tell = ({ round, fault }: RoundRow): void => run.report(`round ${String(round)}, ${fault}`);
  const play = { seed, report: tell };
  const rows = await playSession({ ...play, rounds: ROUNDS[scale], mode: 'synchronous' });
  const control = await playSession({ ...play, rounds: CONTROL, mode: 'asynchronous' });
  const violations = rows
    .filter((row) => faultsOf(row) > 0)
    .map(({ round, fault, details }) => `Round ${String(round)}, ${fault}: ${details.join(' ')}`);
  const lost = control.reduce((sum, row) => sum + row.lost, 0);
  if (lost === 0) violations.push('The control lost nothing, so the judge may be blind.');
  const acknowledged = rows.reduce((sum, row) => sum + row.acknowledged, 0);
  return {
    done: { rounds: rows.length, 'acknowledged commands': acknowledged, 'lost by control': lost },
    violations,
  };
}
