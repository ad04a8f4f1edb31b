/**
 * Benchmarks two servers on one PostgreSQL: commands and reads per second, against the minimal SQL
 * for the same work, and against one server on LMDB.
 *
 * Starts its own PostgreSQL with disk flushes enabled. Reports that nothing was measured when the
 * programs of PostgreSQL are not installed.
 */
import { postgresStore } from '@agentkeep/postgres';
import { findPostgres } from '@agentkeep/testkit/find-postgres';
import { PostgresServer } from '@agentkeep/testkit/postgres-server';
import { everywhere, keepWithAgent, temporaryDirectory } from './fixture.js';
import { median, type Reading } from './measure.js';
import { MemoryWork } from './memory-work.js';
import { PostgresWorkers } from './postgres-workers.js';

/** The amount of work. */
export interface PostgresLoad {
  readonly rounds: number;
  readonly callers: readonly number[];
  readonly scopes: readonly number[];
  /** Calls per caller and round, and at least so many in all. */
  readonly perCaller: number;
  readonly leastCalls: number;
  /** Calls of each kind at the beginning that are not measured. */
  readonly warmUp: number;
}

const FULL: PostgresLoad = {
  rounds: 5,
  callers: [1, 16, 64],
  scopes: [1, 1_000],
  perCaller: 60,
  leastCalls: 240,
  warmUp: 2_000,
};

const KINDS = ['commands', 'reads'] as const;

/** A number of callers and of scopes. */
interface Setting {
  readonly callers: number;
  readonly scopes: number;
  readonly load: PostgresLoad;
}

/** One reading for commands and one for reads, per number of callers and of scopes. */
export async function* postgresBenchmarks(
  load: PostgresLoad = FULL,
): AsyncGenerator<Reading, void> {
  const bin = findPostgres();
  if (bin === undefined) {
    console.log('PostgreSQL was not measured: its programs are not installed.');
    return;
  }
  await using directory = await temporaryDirectory();
  const server = await PostgresServer.start(bin, { fsync: 'on' });
  try {
    const first = await keepWithAgent({ store: postgresStore({ url: server.url }) }, everywhere);
    await first.keep.close();
    await using workers = await PostgresWorkers.start(server.url, first.secret);
    const { keep, agent } = await keepWithAgent({ dataDir: directory.path }, everywhere);
    const local = new MemoryWork(agent, 'local');
    await warmUp(workers, local, load.warmUp);
    for (const scopes of load.scopes) {
      for (const callers of load.callers)
        yield* measured(workers, local, { callers, scopes, load });
    }
    await keep.close();
  } finally {
    await server.stop();
  }
}

/** Lets all sides compile what they run, and fill what they remember. */
async function warmUp(workers: PostgresWorkers, local: MemoryWork, total: number): Promise<void> {
  const job = { callers: 16, total, scopes: 16 };
  for (const kind of KINDS) {
    await workers.rateOf({ kind, ...job });
    await workers.rateOf({ kind: `bare ${kind}`, ...job });
    await local[kind](job.callers, total, job.scopes);
  }
}

async function* measured(
  workers: PostgresWorkers,
  local: MemoryWork,
  { callers, scopes, load }: Setting,
): AsyncGenerator<Reading, void> {
  const where = scopes === 1 ? 'one scope' : `${String(scopes)} scopes`;
  for (const what of KINDS) {
    const total = Math.max(callers * load.perCaller, load.leastCalls);
    const ours: number[] = [];
    const bare: number[] = [];
    const lmdb: number[] = [];
    // The first round is a warm-up.
    for (let round = 0; round <= load.rounds; round++) {
      const job = { callers, total, scopes };
      const rates = [
        await workers.rateOf({ kind: what, ...job }),
        await workers.rateOf({ kind: `bare ${what}`, ...job }),
        await rateOf(total, () => local[what](callers, total, scopes)),
      ];
      if (round > 0) [ours, bare, lmdb].forEach((all, index) => all.push(rates[index] ?? NaN));
    }
    yield {
      name: `postgres ${what}, ${String(callers)} callers, ${where}`,
      figures: {
        per_second: median(ours),
        bare_sql_per_second: median(bare),
        lmdb_per_second: median(lmdb),
        percent_of_bare_sql: median(ours.map((rate, index) => (100 * rate) / (bare[index] ?? NaN))),
      },
    };
  }
}

async function rateOf(total: number, work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return (1_000 * total) / (performance.now() - startedMs);
}
