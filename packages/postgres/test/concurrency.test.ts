/**
 * Concurrent transactions of several stores over one database are serializable.
 */
import { keyBytes, type Store } from '@agentkeep/core/store';
import { describe, expect, inject, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';
import { contradictions } from './list-history.js';
import { readLists, runListLoad } from './list-load.js';
import { randomOf } from './random.js';

const TWO = { length: 2 };

async function withTwoStores(
  locks: 'advisory' | 'rows',
  run: (stores: Store[]) => Promise<void>,
): Promise<void> {
  const options = newTables({ locks });
  const stores = Array.from(TWO, () => postgresStore(options));
  try {
    await run(stores);
  } finally {
    for (const store of stores) await store.close();
  }
}

describe.each(['advisory', 'rows'] as const)('two stores with %s locks', (locks) => {
  test('agree on one order of random transactions', async () => {
    const random = randomOf(inject('seed'));
    await withTwoStores(locks, async (stores) => {
      const load = { stores, transactions: 600, callers: 24, random };
      const { history, failures } = await runListLoad(load);
      expect(failures).toEqual([]);
      const lists = await readLists(stores[0]!);
      expect(contradictions(history, lists)).toEqual([]);
    });
  });

  test('lose no update of a counter', async () => {
    await withTwoStores(locks, async (stores) => {
      const key = keyBytes('a\0\x05number');
      const increments = Array.from({ length: 200 }, (_, index) =>
        stores[index % 2]!.transact((tx) => {
          const before = tx.get(key)?.[0] ?? 0;
          tx.put(key, Uint8Array.of(before + 1));
          return before;
        }),
      );
      const befores = await Promise.all(increments);
      expect(befores.toSorted((a, b) => a - b)).toEqual(befores.map((_, index) => index));
    });
  });

  test('admit one entry when each transaction checks that the range is empty', async () => {
    await withTwoStores(locks, async (stores) => {
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          stores[index % 2]!.transact((tx) => {
            for (const _ of tx.range({ from: keyBytes('a\0\x05'), to: keyBytes('a\0\x06') })) {
              return false;
            }
            tx.put(keyBytes(`a\0\x05${String(index)}`), new Uint8Array());
            return true;
          }),
        ),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
    });
  });

  test('see answered writes of each other at once', async () => {
    await withTwoStores(locks, async ([first, second]) => {
      const key = keyBytes('a\0\x05shown');
      for (let round = 0; round < 50; round += 1) {
        await first!.transact((tx) => tx.put(key, Uint8Array.of(round)));
        expect(await second!.read((tx) => tx.get(key)?.[0])).toBe(round);
      }
    });
  });
});
