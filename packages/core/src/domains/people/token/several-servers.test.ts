/** Tokens across servers: one shared key, and what ends a token ends it on every server. */
import { describe, expect, test } from 'vitest';
import { CLOCK_SKEW_MAX_MS, REVOCATION_KEPT_MS } from '../../../contract/limits.js';
import { createAdmin } from '../../../operator.js';
import {
  administrator,
  codeOf,
  logIn,
  PASSWORD,
  type Server,
  Servers,
  twoServers,
} from '../../../../test/servers.js';
import { isRevoked } from './revocation-store.js';
import { RevocationSweeper } from './revocation-sweeper.js';
import { signingKeys } from './signing-key-store.js';

/** Returns a check of a token on a server that has verified it before. */
async function holder(server: Server, token: string): Promise<() => Promise<string>> {
  const use = () => codeOf(server.keep.authenticate(token));
  expect(await use()).toBe('none');
  return use;
}

describe('a key of the store', () => {
  test('is generated once when two servers need it at the same time', async () => {
    await using servers = new Servers();
    const [one, other] = await Promise.all([
      servers.open({ tokens: {} }),
      servers.open({ tokens: {} }),
    ]);
    await createAdmin(one.keep, { username: 'root', password: PASSWORD });
    const [here, there] = await Promise.all([logIn(one, 'root'), logIn(other, 'root')]);
    const keys = await Promise.all([one, other].map(({ runtime }) => runtime.tokens.publicKeys()));
    expect(keys[0]).toEqual(keys[1]);
    expect(await codeOf(one.keep.authenticate(there.token))).toBe('none');
    expect(await codeOf(other.keep.authenticate(here.token))).toBe('none');
    const stored = await servers.store.read((tx) => [...signingKeys.rows(tx, '', { prefix: [] })]);
    expect(stored).toHaveLength(1);
  });
});

describe('a token that the other server has verified before', () => {
  const ends: Record<string, (at: Server, username: string, token: string) => Promise<unknown>> = {
    'is revoked': async (at, _username, token) =>
      (await at.keep.authenticate(token)).session.revoke(token),
    'is logged out': async (at, _username, token) =>
      (await at.keep.authenticate(token)).session.logOut(),
    'belongs to an account whose sessions are ended': async (at, username) => {
      const root = await administrator(at, 'boss');
      const { id } = await accountOf(root, username);
      await root.session.revokeAll(id);
    },
    'belongs to an account that gets another role': async (at, username) => {
      const root = await administrator(at, 'boss');
      await root.users.setRoles((await accountOf(root, username)).id, ['Read']);
    },
    'belongs to an account that is deleted': async (at, username) => {
      const root = await administrator(at, 'boss');
      await root.users.delete((await accountOf(root, username)).id);
    },
    'belongs to an account with a new password': async (at, username) => {
      const root = await administrator(at, 'boss');
      const { id } = await accountOf(root, username);
      await root.users.resetPassword(id, 'Battery.Staple8');
    },
  };

  test.each(Object.keys(ends))('and that %s is refused there at once', async (name) => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
    const { token } = await logIn(one, 'ann');
    const use = await holder(other, token);
    await ends[name]?.(one, 'ann', token);
    expect(await use()).toBe('unauthorized');
  });
});

describe('the list of revoked tokens', () => {
  test('is swept by two servers side by side', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
    for (let count = 0; count < 10; count += 1) {
      const { agent, token } = await logIn(one, 'ann');
      await agent.session.revoke(token);
    }
    const entries = async () => (await servers.store.stats()).entries;
    const before = await entries();
    for (const { clock } of [one, other]) clock.advance(3_600_000 + REVOCATION_KEPT_MS);
    const sweepers = [one, other].map(({ runtime }) => new RevocationSweeper(runtime));
    await Promise.all(sweepers.map((sweeper) => sweeper.sweep()));
    expect(before - (await entries())).toBeGreaterThanOrEqual(20);
  });

  test('keeps an entry until the token has expired by the slowest clock', async () => {
    await using servers = new Servers();
    const slow = await servers.open();
    const fast = await servers.open();
    fast.clock.advance(CLOCK_SKEW_MAX_MS - 1);
    await createAdmin(slow.keep, { username: 'ann', password: PASSWORD });
    const { agent, token } = await logIn(slow, 'ann');
    const use = await holder(slow, token);
    const jti = await agent.session.revoke(token);
    slow.clock.advance(3_599_999);
    fast.clock.advance(3_599_999);
    await new RevocationSweeper(fast.runtime).sweep();
    expect(await use()).toBe('unauthorized');
    const { id } = await accountOf(await administrator(slow, 'boss'), 'ann');
    expect(await servers.store.read((tx) => isRevoked(tx, id, jti))).toBe(true);
  });
});

async function accountOf(
  root: Awaited<ReturnType<typeof administrator>>,
  username: string,
): Promise<{ readonly id: string }> {
  for await (const user of root.users.list()) if (user.username === username) return user;
  throw new Error(`There is no ${username}.`);
}
