/** Compares a memory command with the raw puts of exactly its entries. */
import { type Entry, inMemoryStore, type Store } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { keepWithAgent, openRaw, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight, ROUNDS, WARM_UP_ROUNDS } from './measure.js';

const CASES = [
  { callers: 1, commands: 500, target: 0.7 },
  { callers: 16, commands: 6_000, target: 0.6 },
  { callers: 64, commands: 12_000, target: 0.6 },
] as const;

/** One comparison for each number of callers. */
export async function* commandBenchmarks(): AsyncGenerator<Comparison, void> {
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
            return agent.memory.create(scope, recordAt(number), { idempotencyKey: keyOf(number) });
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
    agent.memory.create(scope, recordAt(number), { idempotencyKey: keyOf(number) }),
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
