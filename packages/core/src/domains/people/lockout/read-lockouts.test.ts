/** How expired locks are shown and recorded. */
import { describe, expect, test } from 'vitest';
import { attempt, eventsOf, type Logins, openLogins } from '../../../../test/login-kit.js';
import { checkLogin } from './check-login.js';
import { readLockedNames, readLockoutStatus } from './read-lockouts.js';

const everything = { after: undefined, limit: 100 };

async function lock(logins: Logins, username: string): Promise<void> {
  for (let left = 5; left > 0; left -= 1) {
    await checkLogin(logins, attempt({ username })).catch(() => undefined);
  }
}

async function unlockedNames(logins: Logins): Promise<unknown[]> {
  const events = await eventsOf(logins);
  return events
    .filter(({ event_type }) => event_type === 'account_unlocked')
    .map(({ username }) => username);
}

describe('the status of a name', () => {
  test('LCK-8 is all zero without a record', async () => {
    expect(await readLockoutStatus(openLogins(), { authority: '', username: 'ann' })).toEqual({
      locked: false,
      failed_attempts: 0,
      lockout_count: 0,
      lockout_expires: null,
      lockout_remaining_seconds: null,
      remaining_attempts: 5,
      lockout_reason: null,
    });
  });

  test('records the end of a lock once for concurrent readers', async () => {
    const logins = openLogins();
    await lock(logins, 'ann');
    logins.clock.advance(900_000);
    const ann = { authority: '', username: 'ann' };
    const statuses = await Promise.all([1, 2, 3].map(() => readLockoutStatus(logins, ann)));
    for (const status of statuses) {
      expect(status).toMatchObject({ locked: false, failed_attempts: 0, lockout_count: 1 });
    }
    expect(await unlockedNames(logins)).toEqual(['ann']);
  });
});

describe('the list of locked names', () => {
  test('has the locked names and ends expired locks', async () => {
    const logins = openLogins();
    for (const name of ['cat', 'ann']) await lock(logins, name);
    logins.clock.advance(600_000);
    for (const name of ['bob', 'dan']) await lock(logins, name);
    const before = await readLockedNames(logins, '', everything);
    expect(before.map(([name]) => name)).toEqual(['ann', 'bob', 'cat', 'dan']);
    logins.clock.advance(300_000);
    // Names after the dropped ones move up.
    const first = await readLockedNames(logins, '', { after: undefined, limit: 2 });
    expect(first).toMatchObject([
      ['bob', { locked: true, lockout_remaining_seconds: 600 }],
      ['dan', { locked: true }],
    ]);
    expect(await readLockedNames(logins, '', { after: 'bob', limit: 2 })).toHaveLength(1);
    expect(await readLockedNames(logins, 'acme', everything)).toEqual([]);
    expect(await unlockedNames(logins)).toEqual(['ann', 'cat']);
  });
});
