/**
 * Simulates power loss: every possible state of the disk must open with all acknowledged changes.
 *
 * A server runs under a shim that logs, in one order, its file operations and answers. From that
 * log, directories are rebuilt as a disk may hold them at random moments: all synced contents, and
 * of the rest nothing, a random half, or only names and sizes. A separate process opens each of
 * them, half of them as if the machine had not restarted. ADR 0027 lists what this model leaves
 * out.
 */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DiskImage } from '../disk/disk-image.js';
import { type DiskRecord, markDiskLog, readDiskLog } from '../disk/disk-log.js';
import { buildDiskShim } from '../disk/disk-shim.js';
import type { Remnant } from '../disk/file-image.js';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Crew } from '../workload/crew.js';
import type { CheckResult, CheckTask } from '../workload/check-messages.js';
import { KeepChecker } from '../workload/keep-checker.js';
import type { Secrets } from '../workload/parties.js';
import { prepareSite, serve, type Site } from '../workload/prepare.js';

const SCALES = {
  short: { points: 12, steps: 250, checkers: 2 },
  full: { points: 300, steps: 3_000, checkers: 2 },
} as const;

/** Extra time per sync, so that answers fall between a write and its sync. */
const SYNC_MICROS = 2_000;

/** One of this many moments is during the creation of the directory. */
const EARLY_EVERY = 10;

const REMNANTS: readonly Remnant[] = ['none', 'half', 'metadata'];
const PREPARED = 'all parties exist';
const REQUEST_ID = /x-request-id: ([0-9a-f-]{36})/gi;

/** Offsets of the boot id in the two headers of a data file. */
const BOOT_ID_AT = [160, 4_096 + 160] as const;
const BOOT_ID_BYTES = 8;

/** A recorded run. */
interface Recorded {
  readonly root: { readonly path: string; readonly inode: bigint };
  readonly records: readonly DiskRecord[];
  readonly crew: Crew;
  readonly secrets: Secrets;
}

/** A moment of power loss, and what survives it. */
interface Moment {
  readonly at: number;
  readonly remnant: Remnant;
  /** Whether the machine appears not to have restarted. */
  readonly isSameBoot: boolean;
}

/** Loses power at random moments of a run under mixed load. */
export const powerLoss: ProofProgram = {
  name: 'power loss',
  claim: 'After a power loss, any possible state of the disk opens with every acknowledged change.',
  run: async (run) => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-power-'));
    try {
      return await losePower(home, run);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

async function losePower(home: string, run: ProofRun): Promise<Finding> {
  const { scale, seed } = run;
  const { points, steps, checkers } = SCALES[scale];
  const random = randomFrom(seed);
  const recorded = await record(home, { steps, random });
  const moments = chooseMoments(recorded.records, points, random);
  const violations: string[] = [];
  const tried = { points: 0, refusals: 0 };
  const judge = (moment: Moment, result: CheckResult, task: CheckTask): void => {
    tried.points += 1;
    run.report(`${tried.points} of ${points} crash points`);
    const boot = moment.isSameBoot ? 'unchanged' : 'new';
    const where = `Record ${moment.at}, ${moment.remnant} kept, boot id ${boot}`;
    if (result.type === 'opened') {
      for (const each of result.violations) violations.push(`${where}: ${each}`);
    } else if (task.expected === undefined) {
      tried.refusals += 1;
    } else {
      violations.push(`${where}: refused, ${result.reason}`);
    }
  };
  await loseAt(recorded, moments, { home, random, checkers, judge });
  return {
    done: {
      'crash points': tried.points,
      'acknowledged steps': recorded.crew.acknowledged,
      'records of the disk': recorded.records.length,
      'half-made directories refused': tried.refusals,
    },
    violations,
  };
}

/** Records the work on a new site under the shim, over two orderly restarts and a kill. */
async function record(
  home: string,
  { steps, random }: { readonly steps: number; readonly random: Random },
): Promise<Recorded> {
  const path = join(home, 'disk');
  const log = join(home, 'log');
  mkdirSync(path);
  const shim = await buildDiskShim(home);
  const site: Site = {
    dataDir: join(path, 'data'),
    auditDir: join(path, 'audit'),
    variables: shim({ root: path, log, syncMicros: SYNC_MICROS }),
    words: ['--audit-max-file-size', '65536'],
  };
  const secrets = await prepareSite(site);
  markDiskLog(log, PREPARED);
  const crew = new Crew(random);
  for (const share of [1 / 3, 2 / 3, 1]) {
    const server = serve(site);
    const url = await server.listens();
    await crew.work({ url, secrets }, () => crew.acknowledged >= steps * share);
    if (share === 1) await server.kill();
    else await server.stop();
  }
  if (crew.refusals.length > 0) throw new Error(`Work was refused: ${String(crew.refusals[0])}`);
  const { ino: inode } = await stat(path, { bigint: true });
  return { root: { path, inode }, records: readDiskLog(readFileSync(log)), crew, secrets };
}

function chooseMoments(records: readonly DiskRecord[], count: number, random: Random): Moment[] {
  const prepared = records.findIndex(isPrepared);
  return Array.from({ length: count }, (_, index) => ({
    at:
      index % EARLY_EVERY === 0
        ? random(prepared)
        : prepared + 1 + random(records.length - prepared),
    remnant: REMNANTS[index % REMNANTS.length]!,
    isSameBoot: random(2) === 0,
  })).sort((one, other) => one.at - other.at);
}

function isPrepared(record: DiskRecord): boolean {
  return record.type === 'answer' && record.bytes.toString() === PREPARED;
}

interface Losing {
  readonly home: string;
  readonly random: Random;
  readonly checkers: number;
  readonly judge: (moment: Moment, result: CheckResult, task: CheckTask) => void;
}

/** Rebuilds the disk at each moment and checks it, with several checkers at once. */
async function loseAt(
  { root, records, crew, secrets }: Recorded,
  moments: readonly Moment[],
  { home, random, checkers, judge }: Losing,
): Promise<void> {
  const image = new DiskImage(root);
  const answered = new Set<string>();
  const queue = moments[Symbol.iterator]();
  let taken = 0;
  let isReady = false;
  const rebuild = (moment: Moment, directory: string): CheckTask => {
    for (; taken < moment.at; taken += 1) {
      const record = records[taken]!;
      image.take(record);
      if (record.type === 'answer') noteAnswers(record.bytes, answered);
      isReady ||= isPrepared(record);
    }
    mkdirSync(directory);
    image.writeTo(directory, moment.remnant, random);
    const dataDir = join(directory, 'data');
    if (!moment.isSameBoot) changeBootId(join(dataDir, 'data.mdb'));
    const auditFiles = { directory: join(directory, 'audit'), mayHaveHoles: true };
    const task = { dataDir, auditFiles };
    if (!isReady) return task;
    return { ...task, expected: { secrets, accounts: crew.accounts((id) => answered.has(id)) } };
  };
  const work = async (name: number): Promise<void> => {
    using checker = new KeepChecker();
    const directory = join(home, `lost-${name}`);
    for (const moment of queue) {
      const task = rebuild(moment, directory);
      judge(moment, await checker.check(task), task);
      await rm(directory, { recursive: true, force: true });
    }
  };
  await Promise.all(Array.from({ length: checkers }, (_, name) => work(name)));
}

function noteAnswers(bytes: Buffer, answered: Set<string>): void {
  for (const [, id] of bytes.toString('latin1').matchAll(REQUEST_ID)) answered.add(id!);
}

/** Changes the boot id in the headers of a data file. */
function changeBootId(dataFile: string): void {
  if (!existsSync(dataFile)) return;
  const file = openSync(dataFile, 'r+');
  try {
    for (const at of BOOT_ID_AT) {
      const id = Buffer.alloc(BOOT_ID_BYTES);
      if (readSync(file, id, 0, BOOT_ID_BYTES, at) < BOOT_ID_BYTES) return;
      id[0]! ^= 0xff;
      writeSync(file, id, 0, BOOT_ID_BYTES, at);
    }
  } finally {
    closeSync(file);
  }
}
