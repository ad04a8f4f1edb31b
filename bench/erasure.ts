/**
 * Measures how long it takes to erase a subject with many records, each with its receipt and its
 * audit event, and how long another agent waits for its writes meanwhile.
 */
import { setImmediate } from 'node:timers/promises';
import type { Agent } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { inFlight, type Reading } from './measure.js';

/** The amount of work. */
export interface ErasureLoad {
  readonly records: number;
}

const FULL: ErasureLoad = { records: 100_000 };
const CALLERS = 256;
const own = { ...scope, visibility: 'private' } as const;

/** One reading: the erasure of a subject beside the writes of another one. */
export async function* erasureBenchmarks({ records }: ErasureLoad = FULL): AsyncGenerator<
  Reading,
  void
> {
  await using directory = await temporaryDirectory();
  const { keep, admin, agent } = await keepWithAgent(
    { dataDir: directory.path },
    { grants: [scope, own] },
  );
  const spec = { subject_id: 'erased', capabilities: ['memory_write' as const], grants: [own] };
  const erased = await keep.authenticate((await admin.credentials.issue(spec)).secret);
  const memory = erased.memory.in(own);
  await inFlight(CALLERS, records, async (index) => {
    await memory.create(recordAt(index));
  });
  const startedMs = performance.now();
  const { id } = await admin.erasures.start({ kind: 'subject', subject_id: 'erased' });
  let isDone = false;
  const pause = longestWrite(agent, () => isDone);
  let status = 'running';
  while (status === 'running') {
    await setImmediate();
    ({ status } = await admin.erasures.get(id));
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  isDone = true;
  yield {
    name: `erasure of a subject with ${String(records)} records`,
    figures: {
      seconds,
      records_per_second: records / seconds,
      longest_write_of_others_ms: await pause,
    },
  };
  await keep.close();
}

/** Writes one record after the other until told to end; returns the longest time of one. */
async function longestWrite(agent: Agent, isDone: () => boolean): Promise<number> {
  const memory = agent.memory.in(scope);
  let longestMs = 0;
  for (let index = 0; !isDone(); index += 1) {
    const startedMs = performance.now();
    await memory.create(recordAt(index));
    longestMs = Math.max(longestMs, performance.now() - startedMs);
  }
  return longestMs;
}
