/** What the store supposes: values that it saw, which another server may have changed. */
import { keyBytes, keyText, type ReadTx, type Store } from '@agentkeep/core/store';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

const KEY = keyBytes('a\0\x05one');
const ABSENT = keyBytes('a\0\x05two');

let store: Store;
let other: Store;

beforeEach(() => {
  const options = newTables();
  store = postgresStore(options);
  other = postgresStore(options);
});

afterEach(async () => {
  await store.close();
  await other.close();
});

const both = (tx: ReadTx) => [KEY, ABSENT].map((key) => keyText(tx.get(key) ?? keyBytes('none')));

test('nothing is supposed about what was never seen, or about a range', async () => {
  await other.transact((tx) => tx.put(KEY, keyBytes('1')));
  expect(store.suppose?.(both)).toBeUndefined();
  await store.read(both);
  const range = (tx: ReadTx) => [...tx.range({ from: KEY, to: ABSENT })];
  expect(store.suppose?.(range)).toBeUndefined();
  expect(store.suppose?.(both)?.result).toEqual(['1', 'none']);
});

test('what was seen holds until another server changes it, and adds a value or removes one', async () => {
  await store.transact((tx) => tx.put(KEY, keyBytes('1')));
  await store.read(both);
  const supposed = store.suppose?.(both);
  const holds = () => store.read((tx) => supposed?.holds(tx));
  expect(await holds()).toBe(true);
  await other.transact((tx) => tx.put(KEY, keyBytes('2')));
  expect(supposed?.result).toEqual(['1', 'none']);
  expect(await holds()).toBe(false);
  expect(await other.transact((tx) => supposed?.holds(tx))).toBe(false);
  // Values are compared, not who wrote them.
  await other.transact((tx) => tx.put(KEY, keyBytes('1')));
  expect(await holds()).toBe(true);
  await other.transact((tx) => tx.put(ABSENT, keyBytes('3')));
  expect(await holds()).toBe(false);
  await other.transact((tx) => {
    tx.remove(ABSENT);
    tx.remove(KEY);
  });
  expect(await holds()).toBe(false);
});

test('a body that throws does so, and a closed store supposes nothing', async () => {
  await store.read(both);
  const failing = () => {
    throw new RangeError('no');
  };
  expect(() => store.suppose?.(failing)).toThrow(RangeError);
  await store.close();
  expect(store.suppose?.(both)).toBeUndefined();
});
