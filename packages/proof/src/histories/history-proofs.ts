/**
 * Random histories of a real server, under kills and revocations, each checked for an order that
 * explains every answer.
 * @module
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RestartedServer } from '../process/restarted-server.js';
import { bootstrapTenant } from '@agentkeep/testkit/server-process';
import type { Finding, Proof, ProofRun, Scale } from '../proof.js';
import type { Call } from './call.js';
import { type HistoryPlan, type Place, runHistory } from './run-history.js';
import { tellContradiction } from './tell-history.js';
import { unexplained } from './unexplained.js';

/** How many histories there are, and of what. */
type Size = { readonly histories: number } & Pick<HistoryPlan, 'calls' | 'kills' | 'revocations'>;

/** Records and idempotency keys under kills. */
export const recordHistories: Proof = {
  name: 'record histories',
  claim:
    'Concurrent commands, reads and queries of a server that is killed are answered as if they ' +
    'came one after the other, and each idempotency key takes effect once.',
  run: (run) => runHistories(run, sizes.records[run.scale]),
};

/** The same while credentials are revoked. */
export const revocationHistories: Proof = {
  name: 'revocation histories',
  claim: 'Nothing that a revoked credential asks takes effect once its revocation is acknowledged.',
  run: (run) => runHistories(run, sizes.revocations[run.scale]),
};

/** One fault shows in many places. */
const TOLD_MAX = 3;

/** What runs at which scale. */
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

async function runAll(place: Place, run: ProofRun, { histories, ...plan }: Size): Promise<Finding> {
  const { seed } = run;
  const violations: string[] = [];
  const all: Call[] = [];
  for (let index = 0; index < histories; index += 1) {
    run.report(`history ${index + 1} of ${histories}`);
    const visibility = index % 2 === 0 ? 'shared' : 'private';
    const calls = await runHistory(place, { ...plan, visibility, seed: seed + index });
    for (const each of calls) all.push(each);
    const found = unexplained(calls);
    const name = `history ${index + 1} of seed ${seed}`;
    violations.push(
      ...found.slice(0, TOLD_MAX).map((each) => `${name}: ${tellContradiction(each)}`),
    );
    if (found.length > TOLD_MAX) violations.push(`${name}: and ${found.length - TOLD_MAX} more`);
  }
  return { done: { histories, ...counts(all) }, violations };
}

/** What the histories were made of: without conflicts and lost answers they would say little. */
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
