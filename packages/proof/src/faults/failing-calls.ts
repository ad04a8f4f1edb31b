/**
 * Makes one disk call fail: the first write, the second, and so on, until a run has no such call.
 *
 * A server under a shim runs a small fixed load, and the nth write of a data page, of a header, of
 * another file, or the nth sync fails once, with EIO and with ENOSPC. Acknowledged changes must
 * survive, refused ones must be stored completely or not at all, and the process must continue or
 * end with a message that says why.
 */
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import {
  buildDiskShim,
  diskErrors,
  type FaultyCall,
  faultyCalls,
  type ShimTask,
  type ShimVariables,
} from '../disk/disk-shim.js';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import type { Ended } from '@agentkeep/testkit/agentkeep-process';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Crew } from '../workload/crew.js';
import { KeepChecker } from '../workload/keep-checker.js';
import type { Secrets } from '../workload/parties.js';
import { prepareSite, serve } from '../workload/prepare.js';

type DiskError = keyof typeof diskErrors;

const SCALES = {
  /** Only some positions of each call and error, chosen by the seed. */
  short: { rounds: 1, placesOf: (random: Random) => [1 + random(3), 4 + random(12)] },
  full: { rounds: 1, placesOf: () => undefined },
} as const;

const RUNS_AT_ONCE = 2;
const ERRORS = Object.keys(diskErrors) as DiskError[];

/** How long to wait for the end of a process that answers, and of one that refuses everything. */
const ENDING_MS_MAX = 200;
const REFUSING_MS_MAX = 60_000;

/** More calls of one kind than any run makes. */
const PLACES_MAX = 1_000;

/** Makes every call fail once. */
export const failingCalls: ProofProgram = {
  name: 'failing disk calls',
  claim: 'A failed write or sync loses nothing, and the server continues or says why it ends.',
  run: async (run) => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-failing-'));
    try {
      return await failAll(home, run);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

/** The nth call of a kind that fails with an error. */
interface Trial {
  readonly call: FaultyCall;
  readonly error: DiskError;
  readonly nth: number;
}

interface Bench {
  readonly home: string;
  /** A data directory that each trial copies. */
  readonly template: string;
  readonly secrets: Secrets;
  readonly shim: (task: ShimTask) => ShimVariables;
  readonly rounds: number;
}

/** Outcome of a trial. */
interface Outcome {
  readonly hasFired: boolean;
  readonly ending: 'continued' | 'ended with a message' | 'ended by a signal';
  readonly violations: readonly string[];
}

async function failAll(home: string, run: ProofRun): Promise<Finding> {
  const { scale, seed } = run;
  const { rounds, placesOf } = SCALES[scale];
  const random = randomFrom(seed);
  const shim = await buildDiskShim(home);
  const template = join(home, 'template');
  const secrets = await prepareSite({ dataDir: template });
  const bench = { home, template, secrets, shim, rounds };
  const endings = new Map<string, number>();
  const violations: string[] = [];
  const series = faultyCalls.flatMap((call) =>
    ERRORS.map((error) => ({ call, error, places: placesOf(random) })),
  );
  const queue = series[Symbol.iterator]();
  const work = async (): Promise<void> => {
    using checker = new KeepChecker();
    for (const { call, error, places } of queue) {
      for await (const [trial, outcome] of trialsOf(bench, checker, { call, error, places })) {
        const { ending } = outcome;
        endings.set(ending, (endings.get(ending) ?? 0) + 1);
        const name = `${trial.error} at ${trial.call} call ${trial.nth}`;
        run.report(`${name}: ${ending}`);
        for (const each of outcome.violations) violations.push(`${name}: ${each}`);
      }
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, work));
  const faults = [...endings.values()].reduce((sum, count) => sum + count, 0);
  return { done: { 'failed calls': faults, ...Object.fromEntries(endings) }, violations };
}

/** Tries one call after the other until a run has no such call. */
async function* trialsOf(
  bench: Bench,
  checker: KeepChecker,
  series: { call: FaultyCall; error: DiskError; places: readonly number[] | undefined },
): AsyncGenerator<[Trial, Outcome]> {
  const { call, error } = series;
  const places = series.places ?? Array.from({ length: PLACES_MAX }, (_, at) => at + 1);
  for (const nth of places) {
    const trial = { call, error, nth };
    const outcome = await tryFault(bench, checker, trial);
    if (!outcome.hasFired) {
      if (outcome.violations.length > 0) yield [trial, outcome];
      return;
    }
    yield [trial, outcome];
  }
}

async function tryFault(bench: Bench, checker: KeepChecker, trial: Trial): Promise<Outcome> {
  const place = join(bench.home, `${trial.call}-${trial.error}`);
  const dataDir = join(place, 'data');
  const auditDir = join(place, 'audit');
  const fired = join(bench.home, `${trial.call}-${trial.error}-fired`);
  await rm(fired, { force: true });
  await mkdir(place);
  await cp(bench.template, dataDir, { recursive: true });
  const variables = bench.shim({ root: place, fault: { ...trial, fired } });
  const server = serve({ dataDir, auditDir, variables });
  const crew = new Crew(randomFrom(1));
  const violations: string[] = [];
  try {
    const url = await server.listens().catch(() => undefined);
    if (url !== undefined) {
      const workplace = { url, secrets: bench.secrets };
      await crew.takeTurns(workplace, bench.rounds);
      const before = crew.acknowledged;
      await crew.takeTurns(workplace, 1);
      const isRefusing = crew.acknowledged === before;
      // A process that ends because of the fault may need a moment.
      await endOrTime(server.ended, isRefusing ? REFUSING_MS_MAX : ENDING_MS_MAX);
      if (!server.hasEnded && isRefusing) violations.push('It refuses everything afterwards.');
    }
    const isAsked = !server.hasEnded;
    await server.stop();
    const ended = await server.ended;
    violations.push(...faultsOfEnd(ended, { isAsked, call: trial.call }));
    const auditFiles = { directory: auditDir, mayHaveHoles: false };
    const expected = { secrets: bench.secrets, accounts: crew.accounts() };
    const result = await checker.check({ dataDir, auditFiles, expected });
    if (result.type === 'refused') violations.push(`Refused afterwards: ${result.reason}`);
    else violations.push(...result.violations);
    return { hasFired: existsSync(fired), ending: endingOf(ended), violations };
  } finally {
    await server.kill();
    await rm(place, { recursive: true, force: true });
  }
}

async function endOrTime(ended: Promise<unknown>, timeMs: number): Promise<void> {
  await Promise.race([ended, pass(timeMs, undefined, { ref: false })]);
}

function endingOf({ status, signal }: Ended): Outcome['ending'] {
  if (signal !== null) return 'ended by a signal';
  return status === 0 ? 'continued' : 'ended with a message';
}

/** Printed by LMDB when it cannot write a page; it may then overrun its memory. */
const LMDB_WRITE_ERROR = /^Write error: .+/m;

/** An end without a request, or with a failure, must have a message. */
function faultsOfEnd(
  { status, signal, error }: Ended,
  { isAsked, call }: { isAsked: boolean; call: FaultyCall },
): string[] {
  if (status === 0) return isAsked ? [] : ['It ended by itself without a failure.'];
  // Output of LMDB may come first, without a line break.
  const isClear = error.includes('agentkeep: ') && !error.includes('defect of Agentkeep');
  // The exception in docs/guarantees.md: LMDB printed the reason before it crashed.
  const isException = signal !== null && call === 'data' && LMDB_WRITE_ERROR.test(error);
  if (isClear || isException) return [];
  return [`It ended with ${signal ?? status} without a clear message: ${error}`];
}
