/** When expired revocations are removed, and what fails the start. */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { systemEntropy } from '../../../kernel/ports/entropy.js';
import { uuidV7Generator } from '../../../kernel/ports/ids.js';
import { REVOCATION_KEPT_MS } from '../../../contract/limits.js';
import { openKeep } from '../../../keep/open-keep.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { Store } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { addRevocation, isRevoked, revokedTokens } from './revocation-store.js';
import { RevocationSweeper } from './revocation-sweeper.js';
import { testStore } from '@agentkeep/testkit/test-store';

const MINUTE_MS = 60_000;
const clock = new ManualClock();
const newId = uuidV7Generator(clock, systemEntropy);

beforeEach(() => {
  useFakeTimers('setInterval', 'clearInterval');
});
afterEach(() => {
  useRealTimers();
});

async function revoke(store: Store, count: number, lifeMs: number): Promise<void> {
  const revokedAtMillis = clock.now();
  const tokens = Array.from({ length: count }, () => ({
    jti: newId(),
    accountId: newId(),
    username: 'ann',
    revokedAtMillis,
    expiresAtMillis: revokedAtMillis + lifeMs,
    reason: 'logout',
  }));
  await store.transact((tx) => {
    for (const token of tokens) addRevocation(tx, token);
  });
}

/** Each token has an account of its own: an entry, its expiry and the number of the account. */
const entriesOf = async (store: Store): Promise<number> => (await store.stats()).entries / 3;

test('all expired entries are removed at start', async () => {
  const store = testStore();
  await revoke(store, 600, MINUTE_MS);
  await revoke(store, 3, 2 * MINUTE_MS);
  clock.advance(MINUTE_MS + REVOCATION_KEPT_MS);
  const sweeper = new RevocationSweeper({ store, clock });
  await sweeper.start();
  expect(await entriesOf(store)).toBe(3);
  await sweeper.stop();
});

test('SES-93 an entry outlives its token, so that a clock that is set back revives nothing', async () => {
  const store = testStore();
  const [accountId, jti] = [newId(), newId()];
  const times = { revokedAtMillis: clock.now(), expiresAtMillis: clock.now() + MINUTE_MS };
  const entry = { accountId, jti, username: 'ann', reason: 'logout', ...times };
  await store.transact((tx) => addRevocation(tx, entry));
  clock.advance(REVOCATION_KEPT_MS);
  const sweeper = new RevocationSweeper({ store, clock });
  await sweeper.sweep();
  clock.stepTo(times.revokedAtMillis);
  expect(await store.read((tx) => isRevoked(tx, accountId, jti))).toBe(true);
});

test('expired entries are removed within ten minutes until the sweeper stops', async () => {
  const store = testStore();
  const sweeper = new RevocationSweeper({ store, clock });
  await sweeper.start();
  await revoke(store, 1, MINUTE_MS);
  clock.advance(10 * MINUTE_MS + REVOCATION_KEPT_MS);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(await entriesOf(store)).toBe(0);
  await sweeper.stop();
  await revoke(store, 1, MINUTE_MS);
  clock.advance(10 * MINUTE_MS + REVOCATION_KEPT_MS);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(await entriesOf(store)).toBe(1);
});

test('a sweep is retried after a store failure', async () => {
  const store = testStore();
  let isFailing = false;
  const transact: Store['transact'] = (body) =>
    isFailing ? Promise.reject(new AgentkeepError('store_unavailable')) : store.transact(body);
  const sweeper = new RevocationSweeper({
    store: { ...store, read: (body) => store.read(body), transact },
    clock,
  });
  await sweeper.start();
  await revoke(store, 1, MINUTE_MS);
  clock.advance(MINUTE_MS + REVOCATION_KEPT_MS);
  isFailing = true;
  await expect(sweeper.sweep()).rejects.toMatchObject({ code: 'store_unavailable' });
  isFailing = false;
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(await entriesOf(store)).toBe(0);
  await sweeper.stop();
});

/** A store with 300 entries, of which one does not verify. */
async function damagedStore(): Promise<Store> {
  const store = testStore();
  await revoke(store, 300, MINUTE_MS);
  await store.transact((tx) => {
    const keys = Array.from(revokedTokens.rows(tx, INSTALLATION, { prefix: [] }), ({ key }) =>
      Buffer.from(key),
    );
    tx.put(keys.at(-1) ?? Buffer.alloc(1), Buffer.from('damaged'));
  });
  return store;
}

test('an entry that does not verify fails the start, even when it has expired', async () => {
  const store = await damagedStore();
  clock.advance(MINUTE_MS);
  const sweeper = new RevocationSweeper({ store, clock });
  await expect(sweeper.start()).rejects.toMatchObject({ code: 'storage_inconsistency' });
  expect(await entriesOf(store)).toBe(300);
  await sweeper.stop();
});

test('a keep does not open over such an entry', async () => {
  const store = await damagedStore();
  const damaged = { code: 'storage_inconsistency' };
  await expect(openKeep({ store, clock })).rejects.toMatchObject(damaged);
  // The store that was given is still open.
  expect(await entriesOf(store)).toBeGreaterThanOrEqual(300);
});
