/** Password guesses on several servers count together. */
import { describe, expect, test } from 'vitest';
import { createAdmin } from '../../../operator.js';
import type { PasswordHasher } from '../../../kernel/ports/password-hasher.js';
import { quickPasswords } from '../../../testing/quick-passwords.js';
import { administrator, codeOf, logIn, PASSWORD, twoServers } from '../../../../test/servers.js';
import { LockoutSweeper } from './lockout-sweeper.js';

/** The name and password of one attempt. */
type Guess = Readonly<Record<'username' | 'password', string>>;

const counted = (codes: readonly string[], code: string): number =>
  codes.filter((each) => each === code).length;

describe('concurrent guesses on two servers', () => {
  test.each(['root', 'nobody'])('check at most five passwords for %s', async (username) => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'root', password: PASSWORD });
    const guess = (index: number): Guess => ({ username, password: `wrong-${String(index)}` });
    const codes = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        codeOf((index % 2 === 0 ? one : other).keep.logIn(guess(index))),
      ),
    );
    expect(counted(codes, 'invalid_login')).toBe(5);
    expect(counted(codes, 'account_locked')).toBe(45);
    expect(await codeOf(other.keep.logIn({ username, password: PASSWORD }))).toBe('account_locked');
  });

  test('reveal nothing about the right password after the fifth', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'root', password: PASSWORD });
    const guesses = (): Promise<string>[] =>
      Array.from({ length: 8 }, (_, index) =>
        codeOf((index % 2 === 0 ? one : other).keep.logIn({ username: 'root', password: 'wrong' })),
      );
    let codes: readonly string[] = [];
    const verify: PasswordHasher['verify'] = async (stored, password) => {
      codes = await Promise.all(guesses());
      return quickPasswords.verify(stored, password);
    };
    // Looked up before the lock and decided after it.
    const late = await servers.open({ passwords: { ...quickPasswords, verify } });
    const right = await codeOf(late.keep.logIn({ username: 'root', password: PASSWORD }));
    expect(counted(codes, 'invalid_login')).toBe(5);
    expect(right).toBe('account_locked');
  });
});

test('a name that is unlocked on one server is free on the other', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
  const root = await administrator(one);
  for (let count = 0; count < 5; count += 1) {
    await codeOf(other.keep.logIn({ username: 'ann', password: 'wrong' }));
  }
  expect(await codeOf(logIn(one, 'ann'))).toBe('account_locked');
  await root.lockouts.unlock('ann');
  expect(await codeOf(logIn(other, 'ann'))).toBe('none');
});

test('the end of a lock is recorded once when two servers sweep', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
  for (let count = 0; count < 5; count += 1) {
    await codeOf(one.keep.logIn({ username: 'ann', password: 'wrong' }));
  }
  one.clock.advance(900_000);
  await Promise.all([one, other].map(({ runtime }) => new LockoutSweeper(runtime).sweep()));
  const root = await administrator(one);
  const { events } = await root.audit.queryPage({ action: 'account_unlocked' });
  expect(events).toHaveLength(1);
});
