/** The sweeper acts without requests, and does each thing once. */
import { useFakeTimers, useRealTimers } from '@agentkeep/testkit/fake-timers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventually } from '@agentkeep/testkit/eventually';
import { attempt, eventsOf, openLogins, type Logins } from '../../../../test/login-kit.js';
import { LOCKOUT_KEPT_MILLIS } from '../../../contract/limits.js';
import { checkLogin } from './check-login.js';
import { findLockout } from './lockout-store.js';
import { LockoutSweeper } from './lockout-sweeper.js';

beforeEach(() => {
  useFakeTimers('setInterval', 'clearInterval');
});
afterEach(() => {
  useRealTimers();
});

async function lock(logins: Logins, username: string): Promise<void> {
  for (let left = 5; left > 0; left -= 1) {
    await checkLogin(logins, attempt({ username })).catch(() => undefined);
  }
}

async function unlockedEvents(logins: Logins) {
  const events = await eventsOf(logins);
  return events.filter(({ event_type }) => event_type === 'account_unlocked');
}

describe('a sweep', () => {
  test('ends expired locks once each, in several transactions', async () => {
    const logins = openLogins();
    const sweeper = new LockoutSweeper(logins);
    const names = Array.from({ length: 150 }, (_, index) => `name ${index}`);
    for (const name of names) await lock(logins, name);
    logins.clock.advance(899_999);
    await sweeper.sweep();
    expect(await unlockedEvents(logins)).toEqual([]);
    logins.clock.advance(1);
    await Promise.all([sweeper.sweep(), sweeper.sweep()]);
    await sweeper.sweep();
    const events = await unlockedEvents(logins);
    expect(events.map(({ username }) => username).sort()).toEqual(names.sort());
    expect(new Set(events.map(({ event_id }) => event_id)).size).toBe(names.length);
    await sweeper.stop();
  });

  test('removes expired records together with a lock that expired before', async () => {
    const logins = openLogins();
    const sweeper = new LockoutSweeper(logins);
    await lock(logins, 'ann');
    await checkLogin(logins, attempt({ username: 'bob' })).catch(() => undefined);
    logins.clock.advance(LOCKOUT_KEPT_MILLIS + 900_000);
    await sweeper.sweep();
    await logins.store.read((tx) => {
      for (const username of ['ann', 'bob']) {
        expect(findLockout(tx, { authority: '', username })).toBeUndefined();
      }
    });
    expect(await unlockedEvents(logins)).toMatchObject([
      { username: 'ann', timestamp: '2030-01-01T00:15:00.000Z' },
    ]);
    await sweeper.stop();
  });

  test('writes nothing when nothing is due', async () => {
    const logins = openLogins();
    await lock(logins, 'ann');
    const sweeper = new LockoutSweeper(logins);
    const transact = vi.spyOn(logins.store, 'transact');
    await sweeper.sweep();
    expect(transact).not.toHaveBeenCalled();
    await sweeper.stop();
  });
});

describe('a sweeper', () => {
  test('sweeps by itself well within a minute, until it is stopped', async () => {
    const logins = openLogins();
    const sweeper = new LockoutSweeper(logins);
    sweeper.start();
    await lock(logins, 'ann');
    logins.clock.advance(900_000);
    await vi.advanceTimersByTimeAsync(30_000);
    await eventually(async () => {
      expect(await unlockedEvents(logins)).toHaveLength(1);
    });
    await lock(logins, 'ann');
    await sweeper.stop();
    logins.clock.advance(1_800_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await unlockedEvents(logins)).toHaveLength(1);
  });

  test('continues after a failed sweep', async () => {
    const logins = openLogins();
    const sweeper = new LockoutSweeper(logins);
    sweeper.start();
    await lock(logins, 'ann');
    logins.clock.advance(900_000);
    const failing = vi.spyOn(logins.store, 'read').mockRejectedValueOnce(new Error('out of order'));
    await vi.advanceTimersByTimeAsync(20_000);
    expect(failing).toHaveBeenCalledOnce();
    failing.mockRestore();
    await sweeper.sweep();
    expect(await unlockedEvents(logins)).toHaveLength(1);
    await sweeper.stop();
  });
});
