/** Times of use count at once, and are stored once a minute in the background. */
import { beforeEach, expect, test } from 'vitest';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { USES_WAITING_MAX } from '../../contract/limits.js';
import type { Store, WriteTx } from '../../storage/store/store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import { type UsedEntry, UseLog, useToStore } from './use-log.js';

let clock: ManualClock;
let stored: [name: string, usedMs: number][];
let store: Pick<Store, 'transact'>;
let failure: AgentkeepError | undefined;
let transactions: number;
let uses: UseLog;

beforeEach(() => {
  clock = new ManualClock(0);
  stored = [];
  failure = undefined;
  transactions = 0;
  const inner = inMemoryStore();
  store = {
    transact: (body) => {
      transactions += 1;
      return failure === undefined ? inner.transact(body) : Promise.reject(failure);
    },
  };
  uses = new UseLog(store);
});

const lastStored = (name: string): number | null =>
  stored.findLast(([known]) => known === name)?.[1] ?? null;

/** Returns an entry as it is read at that time. */
const entry = (name: string): UsedEntry => ({
  name,
  storedMs: lastStored(name),
  store: (_: WriteTx, usedMs) => {
    stored.push([name, usedMs]);
  },
});

/** Notes a use at a time and stores it. */
async function use(name: string, atMs: number): Promise<void> {
  clock.stepTo(atMs);
  uses.note(entry(name), clock.now());
  await uses.flush();
}

test('the first use is stored, the next ones only a minute after it', async () => {
  for (const atMs of [5, 6, 60_004, 60_005, 60_006, 120_004]) await use('a', atMs);
  expect(stored).toEqual([
    ['a', 5],
    ['a', 60_005],
  ]);
});

test('a use counts as soon as it is noted, and the caller does not wait for a write', async () => {
  expect(uses.latest(entry('a'))).toBeNull();
  uses.note(entry('a'), 70_000);
  expect([uses.latest(entry('a')), stored, transactions]).toEqual([70_000, [], 0]);
  await uses.flush();
  expect([uses.latest(entry('a')), stored]).toEqual([70_000, [['a', 70_000]]]);
});

test('entries are separate, and simultaneous ones share transactions', async () => {
  uses.note(entry('a'), 1);
  uses.note(entry('b'), 2);
  uses.note(entry('b'), 3);
  await uses.flush();
  expect([stored, transactions]).toEqual([
    [
      ['a', 1],
      ['b', 2],
    ],
    1,
  ]);
});

test('a stored time of an earlier process counts', async () => {
  const known = { ...entry('a'), storedMs: 1_000 };
  uses.note(known, 60_999);
  await uses.flush();
  expect([stored, uses.latest(known)]).toEqual([[], 1_000]);
  uses.note(known, 61_000);
  await uses.flush();
  expect(stored).toEqual([['a', 61_000]]);
});

test('a wall clock that steps back by a minute is followed', async () => {
  for (const atMs of [500_000, 440_001, 440_000]) await use('a', atMs);
  expect(stored).toEqual([
    ['a', 500_000],
    ['a', 440_000],
  ]);
});

test('a use that cannot be stored counts, and is stored with the next one', async () => {
  failure = new AgentkeepError('store_full');
  await expect(use('a', 1)).rejects.toThrow(failure);
  await expect(uses.flush()).rejects.toThrow(failure);
  expect(uses.latest(entry('a'))).toBe(1);
  failure = undefined;
  await use('b', 2);
  expect(stored).toEqual([
    ['a', 1],
    ['b', 2],
  ]);
});

test('repeated use under a failing store does not repeat the attempt', async () => {
  failure = new AgentkeepError('store_unavailable');
  uses.note(entry('a'), 1);
  await expect(uses.flush()).rejects.toThrow(failure);
  for (let atMs = 2; atMs < 60_001; atMs += 1_000) uses.note(entry('a'), atMs);
  expect(transactions).toBe(1);
});

test('a later use that is noted while an earlier one is stored is stored as well', async () => {
  let finish = (): void => undefined;
  const held = new Promise<void>((resolve) => (finish = resolve));
  const slow = new UseLog({
    transact: async (body) => {
      const result = await store.transact(body);
      if (transactions === 1) await held;
      return result;
    },
  });
  const unread = { ...entry('a'), storedMs: null };
  slow.note(unread, 1);
  const storing = slow.flush();
  await Promise.resolve();
  slow.note(unread, 60_001);
  finish();
  await storing;
  expect(stored).toEqual([
    ['a', 1],
    ['a', 60_001],
  ]);
});

test('a damaged entry does not block others', async () => {
  const damage = (): never => {
    throw new AgentkeepError('storage_inconsistency');
  };
  uses.note({ ...entry('a'), store: damage }, 1);
  await uses.flush();
  await use('b', 2);
  expect(stored).toEqual([['b', 2]]);
});

test('the number of waiting uses is bounded', async () => {
  failure = new AgentkeepError('store_full');
  for (let index = 0; index <= USES_WAITING_MAX; index += 1) uses.note(entry(`${index}`), 1);
  expect(uses.latest(entry(`${USES_WAITING_MAX - 1}`))).toBe(1);
  expect(uses.latest(entry(`${USES_WAITING_MAX}`))).toBeNull();
  uses.note(entry('0'), 60_001);
  expect(uses.latest(entry('0'))).toBe(60_001);
  await expect(uses.flush()).rejects.toThrow(failure);
});

test('closing stores waiting uses, and drops those that the store refuses', async () => {
  uses.note(entry('a'), 1);
  await uses.close();
  expect(stored).toEqual([['a', 1]]);
  failure = new AgentkeepError('store_closed');
  uses.note(entry('b'), 2);
  await uses.close();
  expect(uses.latest(entry('b'))).toBeNull();
});

test('a use yields to a later concurrent one, but not to a clock that was ahead', () => {
  const noted = { knownMs: 10, usedMs: 100 };
  expect(useToStore(10, noted)).toBe(100);
  expect(useToStore(99, noted)).toBe(100);
  expect(useToStore(100, noted)).toBeUndefined();
  expect(useToStore(200, noted)).toBeUndefined();
  expect(useToStore(null, noted)).toBe(100);
  expect(useToStore(200, { knownMs: 200, usedMs: 100 })).toBe(100);
});
