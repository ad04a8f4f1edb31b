/**
 * Compares a keep that is copied to a folder with SQLite that Litestream copies to one: the same
 * records in one run, each contender in a process of its own, round by round. Processor time stands
 * beside wall time, because other work on the machine changes it less.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { restoreReplica } from '@agentkeep/core/operator';
import { installPeers } from '../compare/peers.js';
import { openSqlite } from '../compare/sqlite.js';
import { temporaryDirectory } from '../fixture.js';
import { median, type Reading } from '../measure.js';
import type { CopiedName } from './copied-process.js';
import {
  DATABASE,
  endLitestream,
  installLitestream,
  restoreByLitestream,
  startLitestream,
} from './litestream.js';
import { bytesIn, loopMsOf, processorMsOf, Watch } from './watch.js';

/** The sizes of the comparison. */
export interface LitestreamLoad {
  readonly records: number;
  readonly rounds: number;
}

const FULL: LitestreamLoad = { records: 100_000, rounds: 5 };

const NAMES: readonly CopiedName[] = [
  'agentkeep_alone',
  'agentkeep_async',
  'agentkeep_acknowledged',
  'sqlite_alone',
  'sqlite_litestream',
];

/** What each contender is compared with, to say what copying costs. */
const ALONE: Partial<Record<CopiedName, CopiedName>> = {
  agentkeep_async: 'agentkeep_alone',
  agentkeep_acknowledged: 'agentkeep_alone',
  sqlite_litestream: 'sqlite_alone',
};

/** What one round of a contender shows. */
interface Round {
  readonly perSecond: number;
  /** Processor time of all its processes until its target had everything, in milliseconds. */
  readonly processorMs: number;
  /** That of the thread which every command passes. */
  readonly loopMs: number;
  readonly lagMedianMs: number;
  readonly lagWorstMs: number;
  readonly shippedBytes: number;
  readonly restoreMs: number;
}

const program = fileURLToPath(new URL('./copied-process.ts', import.meta.url));
const execArgv = ['--import', import.meta.resolve('tsx')];

/** One reading for each figure, with its median for each contender. */
export async function* litestreamBenchmarks(
  load: LitestreamLoad = FULL,
): AsyncGenerator<Reading, void> {
  installPeers();
  const litestream = await installLitestream();
  const rounds = new Map<CopiedName, Round[]>(NAMES.map((name) => [name, []]));
  for (let at = 0; at < load.rounds; at += 1) {
    for (const name of NAMES) {
      const round = await measured(name, litestream, load);
      rounds.get(name)?.push(round);
      console.error(`round ${String(at)}, ${name}: ${JSON.stringify(round)}`);
    }
  }
  yield* readingsOf(rounds);
}

function* readingsOf(rounds: ReadonlyMap<CopiedName, readonly Round[]>): Generator<Reading> {
  const reading = (title: string, value: (round: Round) => number, names = NAMES): Reading => {
    const figures = names.map((name) => [name, median((rounds.get(name) ?? []).map(value))]);
    return { name: `litestream, ${title}`, figures: Object.fromEntries(figures) as never };
  };
  const copied = NAMES.filter((name) => ALONE[name] !== undefined);
  yield reading('commands a second', ({ perSecond }) => perSecond);
  yield reading('processor ms', ({ processorMs }) => processorMs);
  yield ratios(rounds, 'rate in % of alone', (own, alone) => own.perSecond / alone.perSecond);
  yield ratios(
    rounds,
    'processor time in % of alone',
    (own, alone) => own.processorMs / alone.processorMs,
  );
  yield ratios(rounds, 'event loop in % of alone', (own, alone) => own.loopMs / alone.loopMs);
  yield reading('lag, median ms', ({ lagMedianMs }) => lagMedianMs, copied);
  yield reading('lag, worst ms', ({ lagWorstMs }) => lagWorstMs, copied);
  yield reading('shipped mb', ({ shippedBytes }) => shippedBytes / 1e6, copied);
  yield reading('restore ms', ({ restoreMs }) => restoreMs, copied);
}

/** Medians of ratios within each round, so that a slower machine slows both sides. */
function ratios(
  rounds: ReadonlyMap<CopiedName, readonly Round[]>,
  title: string,
  ratio: (own: Round, alone: Round) => number,
): Reading {
  const figures: Record<string, number> = {};
  for (const [name, against] of Object.entries(ALONE) as [CopiedName, CopiedName][]) {
    const alone = rounds.get(against) ?? [];
    const values = (rounds.get(name) ?? []).flatMap((own, at) => {
      const other = alone[at];
      return other === undefined ? [] : [100 * ratio(own, other)];
    });
    figures[name] = median(values);
  }
  return { name: `litestream, ${title}`, figures };
}

async function measured(
  name: CopiedName,
  litestream: string,
  { records }: LitestreamLoad,
): Promise<Round> {
  await using home = await temporaryDirectory();
  const [directory, target] = [join(home.path, 'data'), join(home.path, 'target')];
  await mkdir(directory);
  const writer = fork(program, [name, directory, target, String(records)], { execArgv });
  let shipper: ChildProcess | undefined;
  try {
    await once(writer, 'message');
    if (name === 'sqlite_litestream') {
      shipper = await startLitestream(litestream, join(directory, DATABASE), target);
      await Watch.untilFiles(target);
    }
    const processes = [writer, ...(shipper === undefined ? [] : [shipper])];
    const before = [await processorMsOf(processes), await loopMsOf(writer)] as const;
    const watch = ALONE[name] === undefined ? undefined : new Watch(target);
    const writeMs = await ordered(writer, 'write');
    await watch?.rested();
    const processorMs = (await processorMsOf(processes)) - before[0];
    const loopMs = (await loopMsOf(writer)) - before[1];
    await ordered(writer, 'close');
    if (shipper !== undefined) await endLitestream(shipper);
    const restoreMs =
      watch === undefined ? Number.NaN : await restored(name, litestream, home.path, records);
    return {
      perSecond: (records / writeMs) * 1_000,
      processorMs,
      loopMs,
      lagMedianMs: watch === undefined ? Number.NaN : median(watch.lagsMs),
      lagWorstMs: Math.max(...(watch?.lagsMs ?? [Number.NaN])),
      shippedBytes: watch === undefined ? Number.NaN : await bytesIn(target),
      restoreMs,
    };
  } finally {
    if (writer.exitCode === null) writer.kill('SIGKILL');
    if (shipper !== undefined) await endLitestream(shipper);
  }
}

/** Lets a contender do something. Returns how long it took, in milliseconds. */
async function ordered(writer: ChildProcess, order: 'write' | 'close'): Promise<number> {
  const done = once(writer, 'message');
  const failed = once(writer, 'exit').then(([code]) => {
    throw new Error(`${order} ended with ${String(code)}.`);
  });
  failed.catch(() => undefined);
  writer.send(order);
  const [tookMs] = (await Promise.race([done, failed])) as [number];
  return tookMs;
}

/** Restores a target and checks that it has every record. Returns how long the restore took. */
async function restored(
  name: CopiedName,
  litestream: string,
  home: string,
  records: number,
): Promise<number> {
  const [target, into] = [join(home, 'target'), join(home, 'restored')];
  const startedMs = performance.now();
  if (name !== 'sqlite_litestream') {
    const report = await restoreReplica({ from: target, dataDir: into });
    const tookMs = performance.now() - startedMs;
    if (report.records.memoryRecords !== records) throw new Error(JSON.stringify(report));
    return tookMs;
  }
  restoreByLitestream(litestream, target, into);
  const tookMs = performance.now() - startedMs;
  const database = await openSqlite(into);
  const found = database.prepare('SELECT count(*) AS count FROM memory').get() as { count: number };
  database.close();
  if (found.count !== records) throw new Error(`Litestream restored ${String(found.count)}.`);
  return tookMs;
}
