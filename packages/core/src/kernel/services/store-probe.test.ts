/** A probe of the store costs one read at most, and ends in bounded time. */
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ManualClock } from '../../testing/manual-clock.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { SnapshotTx } from '../../storage/store/store.js';
import { PROBE_FRESH_MS, PROBE_TIMEOUT_MS, StoreProbe } from './store-probe.js';

beforeEach(() => {
  useFakeTimers('setTimeout', 'clearTimeout');
});
afterEach(() => {
  vi.restoreAllMocks();
  useRealTimers();
});

/** A store whose reads are counted, fail, or wait until they are released. */
function watchedStore() {
  const store = inMemoryStore();
  const state = { reads: 0, isBroken: false, held: undefined as Promise<void> | undefined };
  const read = async <T>(body: (tx: SnapshotTx) => T): Promise<T> => {
    state.reads += 1;
    await state.held;
    if (state.isBroken) throw new Error('the disk is gone');
    return store.read(body);
  };
  return { state, read, close: () => store.close() };
}

test('many probes cost one read while its answer is fresh', async () => {
  const clock = new ManualClock();
  const store = watchedStore();
  const probe = new StoreProbe({ store, clock });
  const answers = await Promise.all(Array.from({ length: 50 }, () => probe.isUsable()));
  expect(new Set(answers)).toEqual(new Set([true]));
  expect(await probe.isUsable()).toBe(true);
  expect(store.state.reads).toBe(1);
  clock.advance(PROBE_FRESH_MS);
  expect(await probe.isUsable()).toBe(true);
  expect(store.state.reads).toBe(2);
});

test('a store that fails is not usable until a later read succeeds', async () => {
  const clock = new ManualClock();
  const store = watchedStore();
  const probe = new StoreProbe({ store, clock });
  store.state.isBroken = true;
  expect(await probe.isUsable()).toBe(false);
  store.state.isBroken = false;
  expect(await probe.isUsable()).toBe(false);
  clock.advance(PROBE_FRESH_MS);
  expect(await probe.isUsable()).toBe(true);
});

test('a store that does not answer in time is not usable, and is asked only once', async () => {
  const clock = new ManualClock();
  const store = watchedStore();
  const probe = new StoreProbe({ store, clock });
  let release: () => void = () => undefined;
  store.state.held = new Promise((resolve) => {
    release = resolve;
  });
  const started = vi.spyOn(timers, 'setTimeout');
  const cleared = vi.spyOn(timers, 'clearTimeout');
  syncBuiltinESMExports();
  const late = [probe.isUsable(), probe.isUsable()];
  await vi.advanceTimersByTimeAsync(PROBE_TIMEOUT_MS);
  expect(await Promise.all(late)).toEqual([false, false]);
  expect(store.state.reads).toBe(1);
  const next = probe.isUsable();
  release();
  expect(await next).toBe(true);
  // Other files of the process may have timers of their own.
  const own = started.mock.results.filter(
    (_, at) => started.mock.calls[at]?.[1] === PROBE_TIMEOUT_MS,
  );
  expect(own).toHaveLength(3);
  for (const { value } of own) expect(cleared).toHaveBeenCalledWith(value);
});

test('PLT-18 a store whose files are gone is not usable', async () => {
  const store = { read: () => Promise.resolve(undefined as never), isInPlace: async () => isThere };
  const clock = new ManualClock();
  const probe = new StoreProbe({ store, clock });
  let isThere = true;
  expect(await probe.isUsable()).toBe(true);
  isThere = false;
  expect(await probe.isUsable()).toBe(true);
  clock.advance(PROBE_FRESH_MS);
  expect(await probe.isUsable()).toBe(false);
});

test('a closed store is not usable', async () => {
  const store = watchedStore();
  await store.close();
  expect(await new StoreProbe({ store, clock: new ManualClock() }).isUsable()).toBe(false);
});
