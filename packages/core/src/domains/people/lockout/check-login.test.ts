/** The login engine: what it counts, when it refuses, and what it records. */
import { describe, expect, test } from 'vitest';
import {
  attempt,
  eventsOf,
  makeTenant,
  openLogins,
  type Logins,
} from '../../../../test/login-kit.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { prepareLockoutChange, readLockout, settleNewPassword } from './change-lockout.js';
import { checkLogin, type LoginAttempt, type LoginSubject } from './check-login.js';
import { afterAdminLock } from './lockout-policy.js';
import { saveLockout } from './lockout-store.js';
import { showLockout } from './read-lockouts.js';

const MINUTE_MS = 60_000;

type Attempt = LoginAttempt<LoginSubject, number>;

/** Code and details of the refusal, or `in`. */
async function outcome(logins: Logins, members: Partial<Attempt> = {}) {
  try {
    await checkLogin(logins, attempt(members));
    return 'in';
  } catch (error) {
    if (!(error instanceof AgentkeepError)) throw error;
    return { code: error.code, ...error.details };
  }
}

async function fail(logins: Logins, times: number, members: Partial<Attempt> = {}) {
  for (let left = times; left > 0; left -= 1) await outcome(logins, members);
}

function statusOf({ store, clock }: Logins, username = 'ann', authority = '') {
  const nowMs = clock.now();
  return store.read((tx) => showLockout(readLockout(tx, { authority, username }, nowMs), nowMs));
}

const right = { password: 'right' };

describe('failures', () => {
  test('are counted in the response and cleared by a successful login', async () => {
    const logins = openLogins();
    await fail(logins, 3);
    expect(await outcome(logins)).toEqual({
      code: 'invalid_login',
      failed_attempts: 4,
      remaining_attempts: 1,
    });
    expect(await outcome(logins, right)).toBe('in');
    expect(await statusOf(logins)).toMatchObject({ failed_attempts: 0, remaining_attempts: 5 });
  });

  test('lock the name at the fifth; later attempts hash, count and change nothing', async () => {
    const logins = openLogins();
    await fail(logins, 4);
    const end = { lockout_expires: '2030-01-01T00:15:00.000Z', lockout_remaining_seconds: 900 };
    expect(await outcome(logins)).toEqual({
      code: 'invalid_login',
      failed_attempts: 5,
      remaining_attempts: 0,
      locked: true,
      ...end,
    });
    const checked = logins.passwords.calls;
    for (let left = 10; left > 0; left -= 1) {
      expect(await outcome(logins, right)).toEqual({
        code: 'account_locked',
        locked: true,
        ...end,
      });
    }
    expect(logins.passwords.calls).toBe(checked);
    const types = (await eventsOf(logins)).map(({ event_type }) => event_type);
    expect(types).toEqual([...Array<string>(5).fill('login_failed'), 'account_lockout_triggered']);
  });

  test('start over after half an hour', async () => {
    const logins = openLogins();
    await fail(logins, 4);
    logins.clock.advance(31 * MINUTE_MS);
    expect(await outcome(logins)).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
  });

  test.each<[string, Partial<Attempt>]>([
    ['an unknown name', { find: () => undefined }],
    [
      'an account that may not log in',
      {
        ...right,
        find: () => ({ accountId: 'ann-id', passwordHash: 'plain right', mayLogIn: false }),
      },
    ],
    ['an unknown tenant', { authority: 'nowhere', find: () => undefined }],
  ])('of %s look like those of a wrong password', async (_, members) => {
    const known = openLogins();
    const other = openLogins();
    for (let left = 7; left > 0; left -= 1) {
      expect(await outcome(other, members)).toEqual(await outcome(known));
    }
    expect(other.passwords.calls).toBe(known.passwords.calls);
  });

  test('count per exact name and authority', async () => {
    const logins = openLogins();
    await fail(logins, 5);
    expect(await outcome(logins, { ...right, username: 'Ann' })).toBe('in');
    expect(await outcome(logins, { ...right, authority: 'acme' })).toBe('in');
  });

  test('do not count when too many passwords wait', async () => {
    const logins = openLogins();
    logins.passwords.verify = () => Promise.reject(new AgentkeepError('login_busy'));
    expect(await outcome(logins)).toEqual({ code: 'login_busy' });
    expect(await statusOf(logins)).toMatchObject({ failed_attempts: 0 });
  });
});

describe('concurrent attempts', () => {
  test('make one lock, and later ones are refused even with the right password', async () => {
    const logins = openLogins();
    const release = logins.passwords.hold();
    const wrong = Array.from({ length: 5 }, () => outcome(logins));
    const late = [outcome(logins, right), outcome(logins)];
    release();
    const counts = (await Promise.all(wrong)).map((it) =>
      it === 'in' ? it : 'failed_attempts' in it && it.failed_attempts,
    );
    expect(counts.sort()).toEqual([1, 2, 3, 4, 5]);
    expect(await Promise.all(late)).toMatchObject([
      { code: 'account_locked' },
      { code: 'account_locked' },
    ]);
    expect(await statusOf(logins)).toMatchObject({ failed_attempts: 5, lockout_count: 1 });
    const events = await eventsOf(logins);
    const locks = events.filter(({ event_type }) => event_type === 'account_lockout_triggered');
    expect(locks).toHaveLength(1);
  });

  test('fail when the password was changed while it was checked', async () => {
    const logins = openLogins();
    let passwordHash = 'plain right';
    const find = (): LoginSubject => ({ accountId: 'ann-id', passwordHash, mayLogIn: true });
    const release = logins.passwords.hold();
    const running = outcome(logins, { ...right, find });
    await new Promise(setImmediate);
    passwordHash = 'plain new';
    release();
    expect(await running).toMatchObject({ code: 'invalid_login', failed_attempts: 1 });
  });

  test('fail when the account was disabled while the password was checked', async () => {
    const logins = openLogins();
    let mayLogIn = true;
    const find = (): LoginSubject => ({
      accountId: 'ann-id',
      passwordHash: 'plain right',
      mayLogIn,
    });
    const prepare = () => {
      mayLogIn = false;
      return Promise.resolve();
    };
    expect(await outcome(logins, { ...right, find, prepare })).toMatchObject({
      code: 'invalid_login',
    });
  });
});

describe('a successful login', () => {
  test('prepares only after a correct password, and commits with its decision', async () => {
    const logins = openLogins();
    let prepared = 0;
    const prepare = () => {
      prepared += 1;
      return Promise.resolve();
    };
    await fail(logins, 1, { prepare });
    expect(prepared).toBe(0);
    const value = await checkLogin(logins, attempt({ ...right, prepare }));
    expect(value).toBe(logins.clock.now());
    expect(prepared).toBe(1);
  });

  test('that cannot be completed changes nothing', async () => {
    const logins = openLogins();
    await fail(logins, 2);
    const succeed = () => {
      throw new AgentkeepError('conflict');
    };
    // CON-88, LOG-51
    expect(await outcome(logins, { ...right, succeed })).toEqual({ code: 'conflict' });
    expect(await statusOf(logins)).toMatchObject({ failed_attempts: 2 });
  });

  test('after a lock makes the next lock short again', async () => {
    const logins = openLogins();
    await fail(logins, 5);
    logins.clock.advance(15 * MINUTE_MS);
    await fail(logins, 5);
    expect(await statusOf(logins)).toMatchObject({ lockout_remaining_seconds: 1_800 });
    logins.clock.advance(30 * MINUTE_MS);
    expect(await outcome(logins, right)).toBe('in');
    await fail(logins, 5);
    expect(await statusOf(logins)).toMatchObject({ lockout_remaining_seconds: 900 });
  });
});

describe('events', () => {
  test('name the attempted username and no account', async () => {
    const logins = openLogins();
    await makeTenant(logins, 'acme');
    await fail(logins, 5, { authority: 'acme', username: 'bob' });
    const events = await eventsOf(logins, 'acme');
    expect(events[0]).toMatchObject({
      event_type: 'login_failed',
      user_id: null,
      username: 'bob',
      action: 'login_failed',
      resource: 'authentication',
      result: 'failure',
      ip_address: '192.0.2.1',
      user_agent: 'test',
      metadata: { failed_attempts: 1 },
      tenant_id: 'acme',
    });
    // AUD-11, AUD-12, AUD-51
    expect(events[5]).toMatchObject({
      event_type: 'account_lockout_triggered',
      user_id: null,
      username: 'bob',
      metadata: { lockout_count: 1, lockout_expires: '2030-01-01T00:15:00.000Z' },
    });
    expect(await eventsOf(logins)).toEqual([]);
  });

  test('for an unknown tenant start no chain', async () => {
    const logins = openLogins();
    await outcome(logins, { authority: 'nowhere', find: () => undefined });
    expect(await eventsOf(logins, 'nowhere')).toEqual([]);
    expect(await eventsOf(logins)).toMatchObject([
      {
        event_type: 'login_failed',
        tenant_id: 'nowhere',
        metadata: { failed_attempts: 1, tenant_id: 'nowhere' },
      },
    ]);
  });

  test('record an expired lock once, dated at its end', async () => {
    const logins = openLogins();
    await fail(logins, 5);
    logins.clock.advance(40 * MINUTE_MS);
    expect(await outcome(logins)).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
    expect(await outcome(logins, right)).toBe('in');
    const unlocked = (await eventsOf(logins)).filter(({ action }) => action === 'account_unlocked');
    expect(unlocked).toMatchObject([
      {
        timestamp: '2030-01-01T00:15:00.000Z',
        transaction_time: '2030-01-01T00:40:00.000Z',
        user_id: null,
        username: 'ann',
        result: 'success',
        metadata: { target_username: 'ann', cause: 'expired' },
      },
    ]);
  });

  test('that cannot be stored undo the count', async () => {
    const logins = openLogins();
    logins.audit.changed = () => {
      throw new AgentkeepError('storage_inconsistency');
    };
    expect(await outcome(logins)).toEqual({ code: 'storage_inconsistency' });
    expect(await statusOf(logins)).toMatchObject({ failed_attempts: 0 });
  });
});

describe('a new password', () => {
  const ann = { authority: '', username: 'ann' };
  const renew = (logins: Logins) => {
    const change = prepareLockoutChange(logins, ann);
    return logins.store.transact((tx) => {
      settleNewPassword(tx, change);
    });
  };

  test('ends a lock caused by failures and records it', async () => {
    const logins = openLogins();
    await fail(logins, 5);
    logins.clock.advance(MINUTE_MS);
    await renew(logins);
    expect(await statusOf(logins)).toMatchObject({ locked: false, lockout_count: 0 });
    expect((await eventsOf(logins)).at(-1)).toMatchObject({
      event_type: 'account_unlocked',
      timestamp: '2030-01-01T00:01:00.000Z',
      metadata: { cause: 'password' },
    });
  });

  test('keeps a manual lock and records no end', async () => {
    const logins = openLogins();
    const after = { ...afterAdminLock(undefined, 'why', logins.clock.now()), isKnown: true };
    await logins.store.transact((tx) => {
      saveLockout(tx, ann, { before: undefined, after });
    });
    await renew(logins);
    expect(await outcome(logins, right)).toEqual({
      code: 'account_locked',
      locked: true,
      lockout_expires: null,
      lockout_remaining_seconds: null,
    });
    expect(await eventsOf(logins)).toEqual([]);
  });

  test('of a name without failures writes nothing', async () => {
    const logins = openLogins();
    await renew(logins);
    expect((await logins.store.stats()).entries).toBe(0);
  });
});
