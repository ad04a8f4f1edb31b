/**
 * Proof: clients that stop reading in the middle of a large answer do not make the data file grow.
 */
import { stat } from 'node:fs/promises';
import type { Finding, ProofProgram, ProofRun } from '../proof.js';
import { workScopes } from '../workload/parties.js';
import { requireProcessFiles } from './gauges.js';
import { SoakedServer } from './soaked-server.js';
import { StalledClient } from './stalled-client.js';

/** Records of the large answer, and number of changes while it is stalled. */
const SCALES = {
  short: { records: 500, changes: 1_200 },
  full: { records: 500, changes: 4_000 },
} as const;

const RECORD_CHARS = 24_000;
/** Number and length of the records that are changed repeatedly. */
const CHANGED = 8;
const CHANGED_CHARS = 24_000;
const WRITERS = 8;
/** The data file must stay below this multiple of its size. */
const GROWTH_MAX = 2;

/** Changes records while clients stall, and checks the size of the data file. */
export const stalledReader: ProofProgram = {
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
  const held = await Promise.all(stalled.map((client) => client.heldBytes()));
  if (Math.min(...held) <= 0) violations.push('An answer fits into the buffers of the kernel.');
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

/** Starts two clients that query all large records. */
async function stalledClients({ url, secrets }: SoakedServer): Promise<StalledClient[]> {
  const filter = { limit: 1_000 };
  const document = JSON.stringify({ contract_version: 1, scope, filter });
  const asked = { url, path: '/api/v1/memory/query', secret: secrets.writer, document };
  const clients = [new StalledClient(asked), new StalledClient(asked)];
  for (const client of clients) await client.stalls();
  return clients;
}

const [, scope] = workScopes;

const observation = { episode_type: 'Observation', event_time_millis: 0 } as const;

/** A large record. Its data is not searched, and so is stored once. */
const large = { ...observation, content: { primary: '', data: 'x'.repeat(RECORD_CHARS) } };

/** Returns the new content of a record. */
function changing(turn: number) {
  return { ...observation, content: { primary: String(turn).padEnd(CHANGED_CHARS, '.') } };
}

async function fill({ parties }: SoakedServer, count: number): Promise<void> {
  await inTurns(count, (at) =>
    parties.writer.memory.in(scope).create(large, { idempotencyKey: `large ${at}` }),
  );
}

/** Creates records in the other scope, so that the large answer does not change. */
async function makeChanged({ parties }: SoakedServer): Promise<string[]> {
  const ids: string[] = [];
  // Revisions that are kept make the file grow whether clients stall or not.
  await parties.admin.retention.set({ expectedRevision: 0 }, { revisions_max: 0 });
  await inTurns(CHANGED, async (at) => {
    const options = { idempotencyKey: `changed ${at}` };
    const receipt = await parties.writer.memory.in(workScopes[0]).create(changing(0), options);
    ids.push(receipt.record_id);
  });
  return ids;
}

interface Changing {
  readonly changes: number;
  readonly report: (text: string) => void;
}

/** Makes one change after the other, each in its own commit. */
async function change(
  { parties }: SoakedServer,
  ids: readonly string[],
  { changes, report }: Changing,
): Promise<void> {
  for (let done = 0; done < changes; done += 1) {
    const recordId = ids[done % ids.length] ?? '';
    const expectedRevision = 1 + Math.floor(done / ids.length);
    const options = { idempotencyKey: `change ${done}` };
    const target = { recordId, expectedRevision };
    await parties.writer.memory.in(workScopes[0]).update(target, changing(done), options);
    if (done % 500 === 0) report(`${done} of ${changes} changes`);
  }
}

/** Calls `work` for each number below `count`, several at a time. */
async function inTurns(count: number, work: (at: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const workers = Array.from({ length: WRITERS }, async () => {
    while (next < count) await work(next++);
  });
  await Promise.all(workers);
}
