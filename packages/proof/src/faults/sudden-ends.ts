/**
 * Kills processes at any moment: while they open, serve, copy, restore or close a directory.
 *
 * Processes on one directory are killed repeatedly at random moments, with audit files that rotate
 * every few lines. After each kill, everything acknowledged must be stored, nothing may be stored
 * partially, and the next process must open the directory.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { runCommand, startCommand } from '@agentkeep/testkit/agentkeep-process';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Crew } from '../workload/crew.js';
import { KeepChecker } from '../workload/keep-checker.js';
import type { Secrets } from '../workload/parties.js';
import { prepareSite, serve, type Site } from '../workload/prepare.js';

const SCALES = { short: { rounds: 1 }, full: { rounds: 15 } } as const;

/** Longest time before a process is killed. */
const MOMENT_MS = { open: 600, serve: 500, copy: 700, close: 60 } as const;

/** Kills processes at any moment (MEM-57). */
export const suddenEnds: ProofProgram = {
  name: 'sudden ends',
  claim: 'A process that is killed while it opens, serves, copies or closes loses nothing.',
  run: async (run) => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-sudden-'));
    try {
      return await endAll(home, run);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

/** The directory, its load and its secrets. */
interface Subject {
  readonly home: string;
  readonly site: Site & { readonly auditDir: string };
  readonly secrets: Secrets;
  readonly crew: Crew;
  readonly random: Random;
}

type Moment = (subject: Subject) => Promise<string[]>;

/** Kills by activity. Each returns the faults that it found. */
const moments: Readonly<Record<string, Moment>> = {
  'while opening': async ({ site, random }) => {
    const server = serve(site);
    await Promise.race([server.ended, pass(random(MOMENT_MS.open))]);
    await server.kill();
    return [];
  },
  'while serving': async (subject) => {
    const { site, crew, secrets, random } = subject;
    const server = serve(site);
    const url = await server.listens();
    const work = crew.work({ url, secrets }, () => false);
    await Promise.race([work, pass(random(MOMENT_MS.serve))]);
    await server.kill();
    await work;
    return [];
  },
  'while closing': async ({ site, crew, secrets, random }) => {
    const server = serve(site);
    const url = await server.listens();
    const work = crew.work({ url, secrets }, () => false);
    await pass(random(MOMENT_MS.serve));
    const stopping = server.stop();
    await Promise.race([stopping, pass(random(MOMENT_MS.close))]);
    await server.kill();
    await work;
    return [];
  },
  'of a snapshot': async ({ site, random }) => {
    await endSoon(startCommand(['snapshot', '--data-dir', site.dataDir]), random);
    return [];
  },
  'of a restore': async ({ home, site, random }) => {
    const taken = await runCommand(['snapshot', '--json', '--data-dir', site.dataDir]);
    if (taken.status !== 0) return [`No snapshot was taken: ${taken.error}`];
    const { path } = JSON.parse(taken.out) as { path: string };
    const target = join(home, 'restored');
    const words = ['restore', path, '--data-dir', target];
    await endSoon(startCommand(words), random);
    const served = await runCommand(['verify-store', '--data-dir', target]);
    const again = await runCommand([...words, '--force']);
    await rm(target, { recursive: true, force: true });
    const isReported = served.status === 0 || served.error.startsWith('agentkeep: ');
    return [
      ...(isReported ? [] : [`An incomplete restore is not reported: ${served.error}`]),
      ...(again.status === 0 ? [] : [`A restore cannot be repeated: ${again.error}`]),
    ];
  },
};

async function endAll(home: string, run: ProofRun): Promise<Finding> {
  const random = randomFrom(run.seed);
  const site = {
    dataDir: join(home, 'data'),
    auditDir: join(home, 'audit'),
    words: ['--audit-max-file-size', '65536'],
  };
  const secrets = await prepareSite(site);
  const subject = { home, site, secrets, crew: new Crew(random), random };
  const violations: string[] = [];
  let ends = 0;
  using checker = new KeepChecker();
  for (let round = 0; round < SCALES[run.scale].rounds; round += 1) {
    for (const [name, moment] of Object.entries(moments)) {
      ends += 1;
      run.report(`end ${ends}, ${name}`);
      const found = [...(await moment(subject)), ...(await faultsAfter(subject, checker))];
      for (const each of found) violations.push(`End ${ends}, ${name}: ${each}`);
    }
  }
  if (subject.crew.refusals.length > 0)
    violations.push(`Refused: ${String(subject.crew.refusals)}`);
  const done = { 'sudden ends': ends, 'acknowledged steps': subject.crew.acknowledged };
  return { done, violations };
}

/** Checks a copy, because a check repeats unacknowledged commands. */
async function faultsAfter(subject: Subject, checker: KeepChecker): Promise<string[]> {
  const { home, site, secrets, crew } = subject;
  const dataDir = join(home, 'copy');
  await cp(site.dataDir, dataDir, {
    recursive: true,
    filter: (path) => !path.includes('snapshots'),
  });
  const auditFiles = { directory: site.auditDir, mayHaveHoles: false };
  const expected = { secrets, accounts: crew.accounts() };
  const result = await checker.check({ dataDir, auditFiles, expected });
  await rm(dataDir, { recursive: true, force: true });
  const faults = result.type === 'opened' ? [...result.violations] : [`Refused: ${result.reason}`];
  return [...faults, ...unreadableSnapshots(site.dataDir)];
}

/** Reports named snapshots that are incomplete. */
function unreadableSnapshots(dataDir: string): string[] {
  const folder = join(dataDir, 'snapshots');
  const ids = existsSync(folder) ? readdirSync(folder).filter((name) => /^\d/.test(name)) : [];
  const broken = ids.filter((id) => !existsSync(join(folder, id, 'manifest.json')));
  return broken.map((id) => `Snapshot ${id} has no manifest.`);
}

async function endSoon(child: ChildProcess, random: Random): Promise<void> {
  const closed = once(child, 'close');
  await Promise.race([closed, pass(random(MOMENT_MS.copy))]);
  child.kill('SIGKILL');
  await closed;
}
