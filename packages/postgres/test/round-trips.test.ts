/**
 * How often a store waits for its database. Where that is far away, this is what a call costs.
 */
import { keyBytes, type Store } from '@agentkeep/core/store';
import { DelayingRelay } from '@agentkeep/testkit/delaying-relay';
import { eventually } from '@agentkeep/testkit/eventually';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { postgresStore } from '../src/index.js';
import { newTables } from './fixture.js';

const KEY = keyBytes('a\0\x05one');
const FROM = keyBytes('a\0\x05');
const TO = keyBytes('a\0\x06');

let relay: DelayingRelay;
let store: Store;

beforeEach(async () => {
  const options = newTables();
  relay = await DelayingRelay.before(options.url);
  store = postgresStore({ ...options, url: relay.urlOf(options.url) });
  await store.transact((tx) => tx.put(KEY, Uint8Array.of(1)));
  // Until there are connections that are free.
  await eventually(async () => {
    expect(await exchangesOf(() => store.read((tx) => tx.get(KEY)))).toBe(1);
  });
});

afterEach(async () => {
  await store.close();
  await relay[Symbol.asyncDispose]();
});

async function exchangesOf(work: () => Promise<unknown>): Promise<number> {
  const before = relay.exchanges;
  await work();
  return relay.exchanges - before;
}

test('a read of known keys waits once, and so do all reads of one turn', async () => {
  const one = () => store.read((tx) => tx.get(KEY));
  expect(await exchangesOf(one)).toBe(1);
  expect(await exchangesOf(() => Promise.all([one(), one(), one()]))).toBe(1);
});

test('a commit waits once, also where its key is new', async () => {
  const put = (text: string) => () =>
    store.transact((tx) => tx.put(keyBytes(text), Uint8Array.of(2)));
  expect(await exchangesOf(put('a\0\x05one'))).toBe(1);
  expect(await exchangesOf(put('a\0\x05two'))).toBe(1);
});

test('a read of a range waits once, and not for the end of its transaction', async () => {
  const walk = () => store.read((tx) => [...tx.range({ from: FROM, to: TO })].length);
  expect(await exchangesOf(walk)).toBe(1);
});
