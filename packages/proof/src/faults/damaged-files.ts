/**
 * Damages files of a data directory: truncates, zeroes, flips, overwrites or removes them.
 *
 * Afterwards `agentkeep serve` and `agentkeep verify-store` must report the damage clearly, or
 * everything must read as before. Damage never leads to an empty store, to answers from altered
 * data, or to a process that ends without a message. A single answer may be refused if its data
 * does not verify. An altered key that keeps its order hides its entry, which LMDB cannot detect;
 * then `verify-store` must report it.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, randomFrom } from '@agentkeep/testkit/random';
import { type Ended, runCommand } from '@agentkeep/testkit/agentkeep-process';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { Crew } from '../workload/crew.js';
import { overHttp, partiesOf, type Secrets } from '../workload/parties.js';
import { compareWith, type StoreContent, portraitOf } from '../workload/portrait.js';
import { prepareSite, serve } from '../workload/prepare.js';
import { damageFile, type DamageName, damages } from './file-damage.js';

const SCALES = {
  short: { rounds: 10, dataFiles: 5, others: 1 },
  full: { rounds: 40, dataFiles: 80, others: 10 },
} as const;

const RUNS_AT_ONCE = 2;
const DATA_FILE = 'data.mdb';
const OTHER_FILES = ['agentkeep.json', 'lock.mdb'];

/** Damages files in every way. */
export const damagedFiles: ProofProgram = {
  name: 'damaged files',
  claim: 'Damage is reported, never served, never a reason to start empty, never a silent crash.',
  run: async (run) => {
    const home = await mkdtemp(join(tmpdir(), 'agentkeep-damaged-'));
    try {
      return await damageAll(home, run);
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  },
};

interface Intact {
  readonly dataDir: string;
  readonly secrets: Secrets;
  readonly portrait: StoreContent;
  /** The report of `verify-store`, without the path. */
  readonly families: unknown;
}

interface Trial {
  readonly file: string;
  readonly damage: DamageName;
  readonly random: Random;
}

/** Outcome of a trial. */
interface Outcome {
  readonly ending:
    | 'refused at the start'
    | 'served, some answers refused'
    | 'served, some entries hidden'
    | 'served as before';
  readonly violations: readonly string[];
}

async function damageAll(home: string, run: ProofRun): Promise<Finding> {
  const { scale, seed } = run;
  const { rounds, dataFiles, others } = SCALES[scale];
  const random = randomFrom(seed);
  const intact = await makeIntact(join(home, 'intact'), rounds, random);
  const outcomes = new Map<string, number>();
  const violations: string[] = [];
  const queue = chooseTrials({ dataFiles, others }, random)[Symbol.iterator]();
  const work = async (worker: number): Promise<void> => {
    for (const trial of queue) {
      const { ending, violations: found } = await tryDamage(
        intact,
        join(home, `d${worker}`),
        trial,
      );
      outcomes.set(ending, (outcomes.get(ending) ?? 0) + 1);
      const name = `${trial.file} ${trial.damage}`;
      run.report(`${name}: ${ending}`);
      for (const each of found) violations.push(`${name}: ${each}`);
    }
  };
  await Promise.all(Array.from({ length: RUNS_AT_ONCE }, (_, worker) => work(worker)));
  const tried = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  return { done: { 'damaged files': tried, ...Object.fromEntries(outcomes) }, violations };
}

async function makeIntact(dataDir: string, rounds: number, random: Random): Promise<Intact> {
  const secrets = await prepareSite({ dataDir });
  const server = serve({ dataDir });
  const url = await server.listens();
  const crew = new Crew(random);
  await crew.takeTurns({ url, secrets }, rounds);
  const portrait = await portraitOf(await partiesOf(secrets, overHttp({ url })));
  await server.stop();
  const verified = await runCommand(['verify-store', '--json', '--data-dir', dataDir]);
  if (verified.status !== 0) throw new Error(`It does not verify: ${verified.error}`);
  return { dataDir, secrets, portrait, families: familiesOf(verified) };
}

function chooseTrials(
  { dataFiles, others }: { readonly dataFiles: number; readonly others: number },
  random: Random,
): Trial[] {
  const names = Object.keys(damages) as DamageName[];
  // Starts at another offset for each seed, so that few trials still cover all kinds over time.
  const first = random(names.length);
  const trial = (file: string, index: number): Trial => ({
    file,
    damage: names[(first + index) % names.length]!,
    random: randomFrom(random(0x1_0000_0000)),
  });
  return [DATA_FILE, ...OTHER_FILES].flatMap((file) =>
    Array.from({ length: file === DATA_FILE ? dataFiles : others }, (_, at) => trial(file, at)),
  );
}

async function tryDamage(intact: Intact, dataDir: string, trial: Trial): Promise<Outcome> {
  await cp(intact.dataDir, dataDir, { recursive: true });
  try {
    await damageFile(join(dataDir, trial.file), trial.damage, trial.random);
    const verified = await runCommand(['verify-store', '--json', '--data-dir', dataDir]);
    const violations = faultsOfVerifying(verified, intact);
    const served = await tryServing(intact, dataDir, verified.status !== 0);
    return { ...served, violations: [...violations, ...served.violations] };
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

function faultsOfVerifying(verified: Ended, intact: Intact): string[] {
  if (verified.status !== 0) return unclear('verify-store', verified);
  const isSame = JSON.stringify(familiesOf(verified)) === JSON.stringify(intact.families);
  return isSame ? [] : ['verify-store finds other content and no fault.'];
}

async function tryServing(intact: Intact, dataDir: string, isReported: boolean): Promise<Outcome> {
  const server = serve({ dataDir });
  try {
    const url = await server.listens().catch(() => undefined);
    if (url === undefined) {
      return { ending: 'refused at the start', violations: unclear('serve', await server.ended) };
    }
    const parties = await partiesOf(intact.secrets, overHttp({ url }));
    const { altered, refused, absent } = await compareWith(intact.portrait, parties);
    await server.stop();
    const ended = await server.ended;
    const end = ended.status === 0 ? [] : unclear('serve', ended);
    const hidden =
      absent > 0 && !isReported ? [`${absent} entries are hidden, and nothing reports it.`] : [];
    const fresh = absent === intact.portrait.size ? ['It was taken for a fresh start.'] : [];
    const ending = absent > 0 ? 'served, some entries hidden' : endingOf(refused);
    return { ending, violations: [...altered.slice(0, 3), ...hidden, ...fresh, ...end] };
  } finally {
    await server.kill();
  }
}

function endingOf(refused: number): Outcome['ending'] {
  return refused > 0 ? 'served, some answers refused' : 'served as before';
}

function familiesOf({ out }: Ended): unknown {
  return (JSON.parse(out) as { families: unknown }).families;
}

/** A failure must be a message with an exit status, and must not be a defect of the program. */
function unclear(command: string, { status, signal, error }: Ended): string[] {
  const isClear = error.includes('agentkeep: ') && !error.includes('defect of Agentkeep');
  if (signal === null && status !== 0 && isClear) return [];
  return [`${command} ended with ${signal ?? status}: ${error.trim()}`];
}
