/** Cases of lockouts, as far as logins reach them (docs/contract/lockouts.md). */
import { type Keep, openKeep } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { drivers } from '../harness/drivers.js';
import { type Lockouts, withLockouts } from './lockout-fixture.js';
import { PASSWORD } from '../sessions/session-fixture.js';

const MINUTE_MS = 60_000;

const failed = (failed_attempts: number) => ({
  error: 'invalid_login',
  message: expect.any(String),
  failed_attempts,
  remaining_attempts: 5 - failed_attempts,
});

/** Returns the names in the unlock events of the tenant, newest first. */
async function unlockedNames(l: Lockouts): Promise<unknown[]> {
  const events = await l.events('account_unlocked');
  return events.map(({ metadata }) => [metadata['target_username'], metadata['cause']]);
}

withLockouts('LCK-C1 a successful login after four failures resets the count', async (l) => {
  await l.fail(4);
  expect(outcome(await l.logIn())).toBe('200');
  expect(await l.status()).toMatchObject({ failed_attempts: 0, remaining_attempts: 5 });
});

withLockouts('LCK-C2, SES-64 the fifth failure locks, and is itself 401', async (l) => {
  for (const count of [1, 2, 3, 4]) expect((await l.fail()).body).toEqual(failed(count));
  const fifth = await l.fail();
  expect(fifth.status).toBe(401);
  expect(fifth.body).toEqual({
    ...failed(5),
    locked: true,
    lockout_expires: '2030-01-01T00:15:00.000Z',
    lockout_remaining_seconds: 900,
  });
});

withLockouts('LCK-C3 further attempts do not extend a lock', async (l) => {
  await l.fail(5);
  l.clock.advance(27_001);
  for (let left = 10; left > 0; left -= 1) {
    const answer = left % 2 === 0 ? await l.logIn() : await l.fail();
    expect(answer.status).toBe(429);
    expect(answer.body).toEqual({
      error: 'account_locked',
      message: expect.any(String),
      locked: true,
      lockout_expires: '2030-01-01T00:15:00.000Z',
      lockout_remaining_seconds: 873,
    });
  }
});

withLockouts('LCK-C4 each lock lasts twice as long as the one before, up to a day', async (l) => {
  for (const minutes of [15, 30, 60, 120, 240, 480, 960, 1_440, 1_440]) {
    const { body } = await l.fail(5);
    expect(body).toMatchObject({ locked: true, lockout_remaining_seconds: minutes * 60 });
    l.clock.advance(minutes * MINUTE_MS - 1);
    expect(outcome(await l.logIn())).toBe('429 account_locked');
    l.clock.advance(1);
  }
  expect(outcome(await l.logIn())).toBe('200');
  expect((await l.fail(5)).body).toMatchObject({ lockout_remaining_seconds: 900 });
});

withLockouts('LCK-C5 a failure after half an hour starts a new count', async (l) => {
  await l.fail(4);
  l.clock.advance(31 * MINUTE_MS);
  expect((await l.fail()).body).toEqual(failed(1));
  expect(await l.status()).toMatchObject({ locked: false });
});

withLockouts('USR-C40 after an expired lock it takes four more failures', async (l) => {
  await l.fail(5);
  l.clock.advance(15 * MINUTE_MS);
  for (const count of [1, 2, 3, 4]) expect((await l.fail()).body).toEqual(failed(count));
  expect((await l.fail()).body).toMatchObject({ locked: true });
});

withLockouts('LCK-C6 an expired lock is recorded once', async (l) => {
  await l.fail(5);
  l.clock.advance(15 * MINUTE_MS);
  for (let left = 3; left > 0; left -= 1) {
    expect(await l.status()).toMatchObject({
      locked: false,
      failed_attempts: 0,
      lockout_count: 1,
      lockout_expires: null,
    });
  }
  expect(result(await l.list()).locked_users).toEqual([]);
  expect(await unlockedNames(l)).toEqual([['ann', 'expired']]);
});

withLockouts(
  'LCK-C7 an unlocked name logs in at once, and keeps its count until then',
  async (l) => {
    await l.lock('ann');
    expect(outcome(await l.logIn())).toBe('429 account_locked');
    expect(outcome(await l.unlock('ann'))).toBe('200');
    expect(await l.status()).toMatchObject({ locked: false, lockout_count: 1 });
    expect(outcome(await l.logIn())).toBe('200');
    expect(await l.status()).toMatchObject({ lockout_count: 0 });
    expect(await unlockedNames(l)).toEqual([['ann', 'manual']]);
  },
);

withLockouts('LCK-C8 a name without a record cannot be unlocked', async (l) => {
  const { status, body } = await l.unlock('nobody');
  expect(status).toBe(404);
  expect(body).toEqual({ error: 'not_found', message: expect.any(String), success: false });
});

withLockouts('LCK-C9 an unknown name or tenant is treated like a known one', async (l) => {
  const known = [];
  for (let left = 7; left > 0; left -= 1) known.push(await l.fail());
  const unknown = [
    ['nobody', 'acme'],
    ['ann', 'nowhere'],
    ['nobody', undefined],
  ] as const;
  for (const [username, tenantId] of unknown) {
    for (const { status, body } of known) {
      const answer = await l.s.tryLogIn(username, tenantId, 'wrong');
      expect(answer).toMatchObject({ status, body });
    }
  }
  expect(await l.status('nobody')).toMatchObject({ locked: true, lockout_count: 1 });
});

withLockouts('LCK-C10 names are exact', async (l) => {
  await l.fail(5, 'Ann');
  expect(outcome(await l.logIn())).toBe('200');
  expect(await l.status('Ann')).toMatchObject({ locked: true });
});

withLockouts('LCK-C11 the list shows the names that are locked now', async (l) => {
  await l.fail(5, 'ann');
  l.clock.advance(10 * MINUTE_MS);
  await l.fail(5, 'zoe');
  await l.lock('bob');
  const list = result(await l.list());
  expect(list.count).toBe(3);
  expect(list.locked_users.map(([name]) => name)).toEqual(['ann', 'bob', 'zoe']);
  expect(list.locked_users[2]).toEqual(['zoe', await l.status('zoe')]);
  l.clock.advance(5 * MINUTE_MS);
  expect(result(await l.list())).toMatchObject({
    count: 2,
    locked_users: [
      ['bob', { lockout_expires: null }],
      ['zoe', { locked: true }],
    ],
    next_cursor: null,
  });
  expect(await unlockedNames(l)).toEqual([['ann', 'expired']]);
});

withLockouts('LCK-C12 a lock needs a body, but no reason', async (l) => {
  expect(outcome(await l.lock('ann', {}))).toBe('200');
  expect(await l.status()).toMatchObject({ locked: true, lockout_reason: null });
  const parts = { id: 'ann', parameters: { tenant_id: 'acme' } };
  expect(outcome(await (await l.root()).call('lockAccount', parts))).toBe('400 invalid_request');
  expect(await l.status()).toMatchObject({ lockout_count: 1 });
});

for (const driver of drivers) {
  test(`LCK-C13 a lock survives a restart (${driver.name})`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'agentkeep-'));
    const clock = new ManualClock();
    const open = () =>
      openKeep({ dataDir: join(folder, 'data'), clock, passwords: quickPasswords });
    const logIn = (keep: Keep, password: string) => {
      const document = { username: 'ann', password, tenant_id: 'acme' };
      return driver.open(keep)('authLogin', undefined, { document });
    };
    try {
      const first = await open();
      const { secret } = await bootstrapTenant(first, { tenantId: 'acme', subjectId: 'ops' });
      await createAdmin(first, { username: 'ann', password: PASSWORD, tenantId: 'acme' });
      for (let left = 5; left > 0; left -= 1) await logIn(first, 'wrong');
      await first.close();

      clock.advance(60_000);
      const second = await open();
      expect((await logIn(second, PASSWORD)).body).toMatchObject({
        locked: true,
        lockout_expires: '2030-01-01T00:15:00.000Z',
        lockout_remaining_seconds: 840,
      });
      await second.close();

      clock.advance(14 * 60_000);
      await using third = await open();
      expect(outcome(await logIn(third, PASSWORD))).toBe('200');
      const parameters = { action: 'account_unlocked' };
      const answer = await driver.open(third)('queryAuditLogs', secret, { parameters });
      expect(result(answer).events).toMatchObject([{ timestamp: '2030-01-01T00:15:00.000Z' }]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}
