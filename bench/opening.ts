/** Measures starts, each in a fresh process: importing, serving, and opening stores. */
import { spawn, spawnSync } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { everywhere, keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, median, type Reading } from './measure.js';

/** The stores that are opened, and the number of processes for each figure. */
export interface OpeningLoad {
  readonly records: readonly number[];
  readonly processes: number;
}

const FULL: OpeningLoad = { records: [10_000, 100_000], processes: 9 };
const CALLERS = 256;

/** The installed packages are built ones, whatever runs the benchmarks. */
const CLI = join(import.meta.dirname, 'node_modules/@agentkeep/server/dist/cli.js');

const IMPORT = `
const startedMs = performance.now();
await import('@agentkeep/core');
console.log(performance.now() - startedMs);
`;

/** Loads first, because that has a row of its own. */
const OPEN = `
const { openKeep } = await import('@agentkeep/core');
await import('lmdb');
const startedMs = performance.now();
const keep = await openKeep({ dataDir: process.argv[1] });
console.log(performance.now() - startedMs);
await keep.close();
`;

/** One reading per kind of start. */
export async function* openingBenchmarks(load: OpeningLoad = FULL): AsyncGenerator<Reading, void> {
  const { processes, records } = load;
  yield {
    name: 'import of core',
    figures: { median_ms: await medianOf(processes, () => evaluate(IMPORT)) },
  };
  yield { name: 'serve, new directory', figures: { median_ms: await medianOf(processes, serve) } };
  for (const count of records) yield* openings(count, processes);
}

async function* openings(count: number, processes: number): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const dataDir = join(directory.path, 'data');
  const { keep, agent } = await keepWithAgent({ dataDir }, everywhere);
  await inFlight(CALLERS, count, (index) =>
    agent.memory.in(scope).create(recordAt(index), { idempotencyKey: String(index) }),
  );
  await keep.close();
  const { size } = await stat(join(dataDir, 'data.mdb'));
  const opened = (): Promise<number> => evaluate(OPEN, dataDir);
  const places = `${count.toLocaleString('en-GB')} records`;
  yield {
    name: `opening, ${places}, closed`,
    figures: { median_ms: await medianOf(processes, opened), megabytes: size / 1e6 },
  };
  const killed = await medianOf(processes, async () => {
    // A process that was killed leaves no record of a close.
    await rm(join(dataDir, 'closed.json'), { force: true });
    return opened();
  });
  yield {
    name: `opening, ${places}, killed`,
    figures: { median_ms: killed, gigabytes_per_second: size / 1e6 / killed },
  };
}

async function medianOf(times: number, measure: () => Promise<number> | number): Promise<number> {
  const found: number[] = [];
  while (found.length < times) found.push(await measure());
  return median(found);
}

/** Runs a program that prints a number. */
function evaluate(program: string, ...words: readonly string[]): Promise<number> {
  const flags = ['--input-type=module', '--eval', program, ...words];
  const { stdout, stderr, status } = spawnSync(process.execPath, flags, {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  if (status !== 0) return Promise.reject(new Error(stderr));
  return Promise.resolve(Number(stdout));
}

/** Starts a server on a new directory. Returns the time until it listens, and stops it. */
async function serve(): Promise<number> {
  await using directory = await temporaryDirectory();
  const startedMs = performance.now();
  const words = ['serve', '--data-dir', join(directory.path, 'data'), '--port', '0'];
  const child = spawn(process.execPath, [CLI, ...words], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('listening')) break;
  }
  const tookMs = performance.now() - startedMs;
  child.kill('SIGTERM');
  await ended;
  return tookMs;
}
