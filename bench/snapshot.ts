/** Measures the cost of a snapshot to concurrent writers. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '@agentkeep/core';
import { createSnapshot } from '@agentkeep/core/operator';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, type Reading } from './measure.js';

/** The amount of stored data, and of writes to compare with. */
export interface SnapshotLoad {
  /** Minimum size of the data file in bytes. */
  readonly storeBytes: number;
  /** Characters of text in each record that fills the store. */
  readonly fillerChars: number;
  /** Writes without a snapshot. */
  readonly writesBefore: number;
  readonly writers: number;
}

const FULL: SnapshotLoad = {
  storeBytes: 1_000_000_000,
  fillerChars: 48_000,
  writesBefore: 40_000,
  writers: 16,
};
const FILLERS_AT_ONCE = 128;

/** Counts writes and the longest time without a response. */
class WriteLog {
  readonly #startedMs = performance.now();
  #lastMs = this.#startedMs;
  count = 0;
  longestPauseMs = 0;

  /** Records a response. */
  answered(): void {
    const nowMs = performance.now();
    this.longestPauseMs = Math.max(this.longestPauseMs, nowMs - this.#lastMs);
    this.#lastMs = nowMs;
    this.count += 1;
  }

  get seconds(): number {
    return (performance.now() - this.#startedMs) / 1_000;
  }
}

/** One reading: a snapshot under load. */
export async function* snapshotBenchmarks(
  load: SnapshotLoad = FULL,
): AsyncGenerator<Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const dataFile = join(directory.path, 'data.mdb');
  let written = 0;
  const write = (): Promise<unknown> => writeNext(agent, written++);
  let filled = 0;
  while (statSync(dataFile).size < load.storeBytes) {
    await inFlight(FILLERS_AT_ONCE, FILLERS_AT_ONCE, () => fill(agent, filled++, load));
  }
  await inFlight(load.writers, Math.ceil(load.writesBefore / 4), write);

  const before = new WriteLog();
  await inFlight(load.writers, load.writesBefore, async () => {
    await write();
    before.answered();
  });
  const beforeSeconds = before.seconds;

  const during = new WriteLog();
  let isDone = false;
  const snapshot = createSnapshot(keep).finally(() => (isDone = true));
  const writer = async (): Promise<void> => {
    while (!isDone) {
      await write();
      during.answered();
    }
  };
  await Promise.all([snapshot, ...Array.from({ length: load.writers }, writer)]);
  const duringSeconds = during.seconds;
  const { size_bytes } = await snapshot;
  await keep.close();
  yield {
    name: `snapshot, ${String(load.writers)} writers`,
    figures: {
      size_mb: size_bytes / 1_000_000,
      seconds: duringSeconds,
      writes_per_second_before: before.count / beforeSeconds,
      writes_per_second_during: during.count / duringSeconds,
      longest_pause_before_ms: before.longestPauseMs,
      longest_pause_during_ms: during.longestPauseMs,
    },
  };
}

function writeNext(agent: Agent, number: number): Promise<unknown> {
  return agent.memory.in(scope).create(recordAt(number), { idempotencyKey: `w${String(number)}` });
}

/** Uses few large records, which fill a store faster than many small ones. */
function fill(agent: Agent, number: number, { fillerChars }: SnapshotLoad): Promise<unknown> {
  const record = recordAt(number);
  const { primary } = record.content;
  const text = primary.repeat(Math.ceil(fillerChars / primary.length)).slice(0, fillerChars);
  const filler = { ...record, content: { ...record.content, primary: text } };
  return agent.memory.in(scope).create(filler, { idempotencyKey: `f${String(number)}` });
}
