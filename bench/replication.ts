/**
 * Compares memory commands of a keep that is copied to a folder with those of one that is not, and
 * measures the bytes that are sent.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, Keep, ReplicationOptions } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { bytesIn } from './litestream/watch.js';
import { compare, type Comparison, inFlight, type Reading } from './measure.js';

/** The sizes of the measurements. */
export interface ReplicationLoad {
  readonly callers: readonly number[];
  readonly commandsPerCaller: number;
  /** Records whose copy is measured. */
  readonly records: number;
}

const FULL: ReplicationLoad = { callers: [1, 16, 64], commandsPerCaller: 125, records: 100_000 };

/** Short, so that what a round stores is sent during it. */
const LAG_MS = 200;

const TARGETS = { async: 0.95, acknowledged: 0.4 } as const;

/** One comparison for each mode and number of callers, then the readings of the copy. */
export async function* replicationBenchmarks(
  load: ReplicationLoad = FULL,
): AsyncGenerator<Comparison | Reading, void> {
  for (const mode of ['async', 'acknowledged'] as const) {
    for (const callers of load.callers) yield await commands(mode, callers, load);
  }
  yield await copied(load);
}

async function commands(
  mode: keyof typeof TARGETS,
  callers: number,
  { commandsPerCaller }: ReplicationLoad,
): Promise<Comparison> {
  await using plain = await temporaryDirectory();
  await using directory = await temporaryDirectory();
  await using target = await temporaryDirectory();
  const replicateTo = { target: target.path, mode, lagMs: LAG_MS };
  const replicated = await keepWithAgent({ dataDir: directory.path, replicateTo });
  const alone = await keepWithAgent({ dataDir: plain.path });
  await untilCopied(replicated.keep);
  const total = callers * commandsPerCaller;
  const contender = (agent: Agent) => ({
    operations: total,
    round: (index: number) => inFlight(callers, total, (at) => write(agent, index * total + at)),
  });
  const name = `replication, ${mode}, ${String(callers)} callers`;
  const result = await compare(
    name,
    TARGETS[mode],
    contender(replicated.agent),
    contender(alone.agent),
  );
  await replicated.keep.close();
  await alone.keep.close();
  return { ...result, against: 'without a target' };
}

/** Measures what is sent for many records, and how far the target is behind meanwhile. */
async function copied({ records }: ReplicationLoad): Promise<Reading> {
  await using directory = await temporaryDirectory();
  await using target = await temporaryDirectory();
  const replicateTo: ReplicationOptions = { target: target.path, lagMs: 1_000 };
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path, replicateTo });
  await untilCopied(keep);
  const lags: number[] = [];
  const startedMs = performance.now();
  await inFlight(64, records, async (at) => {
    await write(agent, at);
    if (at % 100 === 0) lags.push(keep.replication()?.lagMs ?? Number.NaN);
  });
  const writtenMs = performance.now() - startedMs;
  await untilCopied(keep);
  const caughtUpMs = performance.now() - startedMs - writtenMs;
  lags.sort((one, other) => one - other);
  await keep.close();
  return {
    name: `replication, ${String(records)} records`,
    figures: {
      commands_per_second: (records / writtenMs) * 1_000,
      lag_median_ms: lags[Math.floor(lags.length / 2)] ?? Number.NaN,
      lag_worst_ms: lags.at(-1) ?? Number.NaN,
      caught_up_ms: caughtUpMs,
      log_mb: (await bytesIn(join(target.path, 'log'))) / 1e6,
      copies_mb: (await bytesIn(join(target.path, 'base'))) / 1e6,
      store_mb: (await stat(join(directory.path, 'data.mdb'))).size / 1e6,
    },
  };
}

async function untilCopied(keep: Keep): Promise<void> {
  for (;;) {
    const { lagFrames, copyMs } = keep.replication() ?? {};
    if (lagFrames === 0 && copyMs !== undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

function write(agent: Agent, number: number): Promise<unknown> {
  const idempotencyKey = `command-${String(number)}`;
  return agent.memory.in(scope).create(recordAt(number), { idempotencyKey });
}
