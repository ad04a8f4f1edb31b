/**
 * Compares a memory command with the raw puts of exactly its entries: record, search entry, receipt
 * and a part of a block of audit events. Measures an import of many at once, and the bytes on disk.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Entry, inMemoryStore, type Store } from '@agentkeep/core';
import { positionOf } from '@agentkeep/core/store';
import { storeOver } from '@agentkeep/core/testing';
import {
  everywhere,
  keepWithAgent,
  openRaw,
  recordAt,
  scope,
  shortTurnAt,
  temporaryDirectory,
} from './fixture.js';
import {
  compare,
  type Comparison,
  inFlight,
  median,
  type Reading,
  ROUNDS,
  WARM_UP_ROUNDS,
} from './measure.js';

const CASES = [
  { callers: 1, commands: 500, target: 0.9 },
  { callers: 16, commands: 4_000, target: 0.5 },
  { callers: 64, commands: 8_000, target: 0.5 },
] as const;

/** How many commands an import has under way, and how many records a round of it stores. */
const IMPORT_CALLERS = 512;
const IMPORT_RECORDS = 6_144;

/** Records of a round of batches, and of one of single commands. */
const BATCHED_RECORDS = 5_120;
const SINGLE_RECORDS = 500;

/** Commands of a round of replacements, and how many records they replace. */
const REPLACED_RECORDS = 4_096;
const REPLACED_NAMES = 512;

/** Commands after which the bytes on disk are read. */
const MEASURED_COMMANDS = 20_000;

/** One comparison for each number of callers, then the readings. */
export async function* commandBenchmarks(): AsyncGenerator<Comparison | Reading, void> {
  for (const { callers, commands, target } of CASES) {
    await using directory = await temporaryDirectory();
    await using rawDirectory = await temporaryDirectory();
    const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
    const raw = openRaw(rawDirectory.path, 'binary');
    const entries = await entriesOfCommands(commands * (WARM_UP_ROUNDS + ROUNDS));
    yield await compare(
      `command, ${String(callers)} callers`,
      target,
      {
        operations: commands,
        round: (index) =>
          inFlight(callers, commands, (at) => {
            const number = index * commands + at;
            return agent.memory
              .in(scope)
              .create(recordAt(number), { idempotencyKey: keyOf(number) });
          }),
      },
      {
        operations: commands,
        round: (index) =>
          inFlight(callers, commands, (at) =>
            Promise.all(
              (entries[index * commands + at] ?? []).map(({ key, value }) =>
                raw.put(Buffer.from(key), value),
              ),
            ),
          ),
      },
    );
    await keep.close();
    await raw.close();
  }
  yield await batching();
  yield await replacing();
  yield await importing();
  yield await bytesOnDisk();
}

/** Batches of one caller beside its single commands. */
async function batching(): Promise<Comparison> {
  await using directory = await temporaryDirectory();
  await using singleDirectory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const single = await keepWithAgent({ dataDir: singleDirectory.path });
  const records = Array.from({ length: BATCHED_RECORDS }, (_, index) => recordAt(index));
  const comparison = await compare(
    'batches of 256, 1 caller, against single commands',
    10,
    {
      operations: BATCHED_RECORDS,
      round: async () => {
        const batches = agent.memory.in(scope).createMany(records);
        for await (const { outcomes } of batches) if (outcomes.length === 0) break;
      },
    },
    {
      operations: SINGLE_RECORDS,
      round: (index) =>
        inFlight(1, SINGLE_RECORDS, (at) => {
          const number = index * SINGLE_RECORDS + at;
          return single.agent.memory.in(scope).create(recordAt(number));
        }),
    },
  );
  await keep.close();
  await single.keep.close();
  return comparison;
}

/** Replacements, which keep the revision before, beside creations. */
async function replacing(): Promise<Comparison> {
  await using directory = await temporaryDirectory();
  await using otherDirectory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const other = await keepWithAgent({ dataDir: otherDirectory.path });
  const comparison = await compare(
    'replacements, 64 callers, against creations',
    0.8,
    {
      operations: REPLACED_RECORDS,
      round: () =>
        inFlight(64, REPLACED_RECORDS, (at) =>
          agent.memory.in(scope).put(`name ${String(at % REPLACED_NAMES)}`, recordAt(at)),
        ),
    },
    {
      operations: REPLACED_RECORDS,
      round: () =>
        inFlight(64, REPLACED_RECORDS, (at) => other.agent.memory.in(scope).create(recordAt(at))),
    },
  );
  await keep.close();
  await other.keep.close();
  return comparison;
}

async function importing(): Promise<Reading> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const rates: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
    const startedMs = performance.now();
    await inFlight(IMPORT_CALLERS, IMPORT_RECORDS, (at) => {
      const number = round * IMPORT_RECORDS + at;
      return agent.memory.in(scope).create(recordAt(number), { idempotencyKey: keyOf(number) });
    });
    const perSecond = (IMPORT_RECORDS / (performance.now() - startedMs)) * 1_000;
    if (round >= WARM_UP_ROUNDS) rates.push(perSecond);
  }
  await keep.close();
  const name = `import, ${String(IMPORT_CALLERS)} callers`;
  return { name, figures: { 'records/s': median(rates) } };
}

/** What a short turn of dialogue takes, in one scope and in many in turn. */
async function bytesOnDisk(): Promise<Reading> {
  const one = await bytesPerCommand(1);
  const many = await bytesPerCommand(50);
  const figures = { 'one scope B': one, '50 scopes B': many };
  return { name: 'bytes on disk per command', figures };
}

async function bytesPerCommand(scopes: number): Promise<number> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path }, everywhere);
  await inFlight(64, MEASURED_COMMANDS, (number) => {
    const place = { ...scope, project_id: `p${String(number % scopes)}` };
    return agent.memory.in(place).create(shortTurnAt(number), { idempotencyKey: keyOf(number) });
  });
  await keep.close();
  const names = await readdir(directory.path, { recursive: true });
  const files = await Promise.all(names.map((name) => stat(join(directory.path, name))));
  const bytes = files.reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);
  return bytes / MEASURED_COMMANDS;
}

function keyOf(number: number): string {
  return `turn-${String(number).padStart(8, '0')}`;
}

/** Returns the entries that each command stores, recorded from a run in memory. */
export async function entriesOfCommands(commands: number): Promise<Entry[][]> {
  const transactions: Entry[][] = [];
  const { keep, agent } = await keepWithAgent({ store: noting(inMemoryStore(), transactions) });
  transactions.length = 0;
  await inFlight(256, commands, (number) =>
    agent.memory.in(scope).create(recordAt(number), { idempotencyKey: keyOf(number) }),
  );
  await keep.close();
  return transactions;
}

/** Wraps a store to record the puts of each transaction. */
function noting(store: Store, transactions: Entry[][]): Store {
  return storeOver(store, {
    transact: (body) =>
      store.transact((tx) => {
        const puts: Entry[] = [];
        const result = body({
          notes: tx.notes,
          get: (key) => tx.get(key),
          range: (range) => tx.range(range),
          remove: (key) => {
            tx.remove(key);
          },
          append: (prefix, value) => {
            puts.push({
              key: Buffer.concat([prefix, positionOf(1, transactions.length, puts.length)]),
              value: Buffer.from(value),
            });
            tx.append(prefix, value);
          },
          put: (key, value) => {
            puts.push({ key: Buffer.from(key), value: Buffer.from(value) });
            tx.put(key, value);
          },
        });
        transactions.push(puts);
        return result;
      }),
  });
}
