/**
 * Proof: clients that stop reading in the middle of a large answer cost no space on disk.
 * @module
 */
import { stat } from 'node:fs/promises';
import type { Finding, Proof, ProofRun } from '../proof.js';
import { workScopes } from '../work/parties.js';
import { requireProcessFiles } from './gauges.js';
import { SoakedServer } from './soaked-server.js';
import { StalledClient } from './stalled-client.js';

/** Records of the large answer, their size, and the changes that are made while it is stalled. */
const SCALES = {
  short: { records: 500, changes: 1_500 },
  full: { records: 1_000, changes: 20_000 },
} as const;

const RECORD_CHARS = 24_000;
/** Records that are changed again and again; short ones. */
const CHANGED = 50;
const WRITERS = 8;
/** What the sockets of both sides can hold at most, in bytes. */
const BUFFERED_MAX = 11_000_000;
/** The data file may not grow to as much as this many times its size. */
const GROWTH_MAX = 2;

/** The stalled reader. */
export const stalledReader: Proof = {
  name: 'stalled reader',
  claim:
    'While clients stall in the middle of large answers, the data file stays below twice its size.',
  run: stall,
};

async function stall(run: ProofRun): Promise<Finding> {
  requireProcessFiles();
  const { records, changes } = SCALES[run.scale];
  await using server = await SoakedServer.open();
  await fill(server, records);
  const changed = await makeChanged(server);
  const sizeBefore = await sizeOf(server);
  const stalled = await stalledClients(server);
  await change(server, changed, { changes, report: (text) => run.report(text) });
  const sizeAfter = await sizeOf(server);
  const violations: string[] = [];
  const leastBytes = Math.min(...stalled.map(({ answerBytes }) => answerBytes));
  if (leastBytes < BUFFERED_MAX) {
    violations.push(`An answer of ${leastBytes} bytes fits into buffers, so nothing stalled.`);
  }
  if (sizeAfter >= GROWTH_MAX * sizeBefore) {
    violations.push(`The data file grew from ${sizeBefore} to ${sizeAfter} bytes.`);
  }
  const stalls = stalled.reduce((sum, client) => sum + client.end(), 0);
  violations.push(...(await server.stopAndTryAgain()));
  return {
    done: { stalls, changes, 'MB before': megabytes(sizeBefore), 'MB after': megabytes(sizeAfter) },
    violations,
  };
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_048_576);

async function sizeOf({ dataFile }: SoakedServer): Promise<number> {
  return (await stat(dataFile)).size;
}

/** Two clients that ask for all of the large records. */
async function stalledClients({ url, secrets }: SoakedServer): Promise<StalledClient[]> {
  const filter = { limit: 1_000 };
  const document = JSON.stringify({ contract_version: 1, scope, filter });
  const asked = { url, path: '/api/v1/memory/query', secret: secrets.writer, document };
  const clients = [new StalledClient(asked), new StalledClient(asked)];
  for (const client of clients) await client.stalls();
  return clients;
}

const [, scope] = workScopes;

function record(primary: string) {
  return { episode_type: 'Observation' as const, content: { primary }, event_time_millis: 0 };
}

async function fill({ parties }: SoakedServer, count: number): Promise<void> {
  const large = record('x'.repeat(RECORD_CHARS));
  await inTurns(count, (at) =>
    parties.writer.memory.create(scope, large, { idempotencyKey: `large ${at}` }),
  );
}

/** Records in the other scope, so that the large answer stays what it is. */
async function makeChanged({ parties }: SoakedServer): Promise<string[]> {
  const ids: string[] = [];
  await inTurns(CHANGED, async (at) => {
    const options = { idempotencyKey: `changed ${at}` };
    const receipt = await parties.writer.memory.create(workScopes[0], record('0'), options);
    ids.push(receipt.record_id);
  });
  return ids;
}

interface Changing {
  readonly changes: number;
  readonly report: (text: string) => void;
}

async function change(
  { parties }: SoakedServer,
  ids: readonly string[],
  { changes, report }: Changing,
): Promise<void> {
  const revisions = new Map(ids.map((id) => [id, 1]));
  let done = 0;
  // Each writer has records of its own, so that no revision is stale.
  const writers = Array.from({ length: WRITERS }, async (_unused, writer) => {
    const own = ids.filter((_id, at) => at % WRITERS === writer);
    for (let turn = 0; turn < changes / WRITERS; turn += 1) {
      const recordId = own[turn % own.length] ?? '';
      const expectedRevision = revisions.get(recordId) ?? 1;
      const options = { idempotencyKey: `change ${writer} ${turn}` };
      const target = { recordId, expectedRevision };
      await parties.writer.memory.update(workScopes[0], target, record(String(turn)), options);
      revisions.set(recordId, expectedRevision + 1);
      done += 1;
      if (done % 500 === 0) report(`${done} of ${changes} changes`);
    }
  });
  await Promise.all(writers);
}

/** Calls `work` for each number below `count`, some at a time. */
async function inTurns(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: WRITERS }, async () => {
    while (next < count) await work(next++);
  });
  await Promise.all(workers);
}
