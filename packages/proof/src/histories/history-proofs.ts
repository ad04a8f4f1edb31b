/**
 * Random histories of a real server under kills and revocations, each checked for linearizability.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestartedServer } from '../process/restarted-server.js';
import { bootstrapTenant } from '@agentkeep/testkit/server-process';
import type { Finding, ProofProgram, ProofRun, Scale } from '../proof.js';
import type { Call } from './call.js';
import { type HistoryPlan, type HistoryServer, runHistory } from './run-history.js';
import { formatContradiction } from './format-history.js';
import { unexplained } from './unexplained.js';

/** Number and plan of the histories. */
type Size = { readonly histories: number } & Pick<HistoryPlan, 'calls' | 'kills' | 'revocations'>;

/** Checks records and idempotency keys under kills. */
export const recordHistories: ProofProgram = {
  name: 'record histories',
  claim:
    'Concurrent commands, reads and queries of a killed server are answered in a serial order, ' +
    'and each idempotency key takes effect once.',
  run: (run) => runHistories(run, sizes.records[run.scale]),
};

/** Checks the same while credentials are revoked. */
export const revocationHistories: ProofProgram = {
  name: 'revocation histories',
  claim: 'No request of a credential takes effect after its revocation was acknowledged.',
  run: (run) => runHistories(run, sizes.revocations[run.scale]),
};

/** Most reported violations per history, because one fault can cause many. */
const REPORTED_MAX = 3;

/** Sizes by proof and scale. */
const sizes: Record<'records' | 'revocations', Record<Scale, Size>> = {
  records: {
    short: { histories: 2, calls: 1_000, kills: 1, revocations: 0 },
    full: { histories: 10, calls: 5_000, kills: 5, revocations: 0 },
  },
  revocations: {
    short: { histories: 2, calls: 1_000, kills: 1, revocations: 10 },
    full: { histories: 8, calls: 5_000, kills: 3, revocations: 40 },
  },
};

async function runHistories(run: ProofRun, size: Size): Promise<Finding> {
  const home = await mkdtemp(join(tmpdir(), 'agentkeep-histories-'));
  try {
    const dataDir = join(home, 'data');
    const adminSecret = bootstrapTenant(dataDir, 'acme');
    await using server = new RestartedServer(dataDir);
    const finding = await runAll({ server, adminSecret }, run, size);
    return { ...finding, done: { ...finding.done, kills: server.kills } };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

async function runAll(
  served: HistoryServer,
  run: ProofRun,
  { histories, ...plan }: Size,
): Promise<Finding> {
  const { seed } = run;
  const violations: string[] = [];
  const all: Call[] = [];
  for (let index = 0; index < histories; index += 1) {
    run.report(`history ${index + 1} of ${histories}`);
    const visibility = index % 2 === 0 ? 'shared' : 'private';
    const calls = await runHistory(served, { ...plan, visibility, seed: seed + index });
    for (const each of calls) all.push(each);
    const found = unexplained(calls);
    const name = `history ${index + 1} of seed ${seed}`;
    violations.push(
      ...found.slice(0, REPORTED_MAX).map((each) => `${name}: ${formatContradiction(each)}`),
    );
    if (found.length > REPORTED_MAX)
      violations.push(`${name}: and ${found.length - REPORTED_MAX} more`);
  }
  return { done: { histories, ...counts(all) }, violations };
}

/** Counts kinds of answers. Without conflicts and lost answers, histories would show little. */
function counts(calls: readonly Call[]): Finding['done'] {
  const count = (type: string): number =>
    calls.filter(({ answer }) => (answer.type === 'refused' ? answer.code : answer.type) === type)
      .length;
  return {
    calls: calls.length,
    'without answer': count('unknown'),
    'revision conflicts': count('revision_conflict'),
    'key conflicts': count('idempotency_conflict'),
    revocations: count('revoked'),
  };
}
