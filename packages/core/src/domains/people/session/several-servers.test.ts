/** Sessions and accounts on several servers. */
import { useLog } from '../../../kernel/services/use-log.js';
import { describe, expect, test } from 'vitest';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '../../../operator.js';
import {
  administrator,
  codeOf,
  logIn,
  PASSWORD,
  privateKeyPem,
  twoServers,
} from '../../../../test/servers.js';
import { sessionsOf } from './session-store.js';

const MINUTE_MS = 60_000;

describe('a session under an idle limit', () => {
  const sessions = { idleSeconds: 600 };
  const tokens = { privateKeyPem, ttlSeconds: 7_200 };

  test('that is used on one server is not idle on the other', async () => {
    await using servers = await twoServers({ sessions, tokens });
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
    const { token } = await logIn(one, 'ann');
    for (let minute = 0; minute < 40; minute += 3) {
      one.clock.advance(3 * MINUTE_MS);
      expect(await codeOf(one.keep.authenticate(token))).toBe('none');
      await useLog.of(one.runtime).flush();
    }
    expect(await codeOf(other.keep.authenticate(token))).toBe('none');
  });

  test('ends for both when neither is used', async () => {
    await using servers = await twoServers({ sessions, tokens });
    const { one, other } = servers;
    await createAdmin(one.keep, { username: 'ann', password: PASSWORD });
    const { token } = await logIn(one, 'ann');
    one.clock.advance(11 * MINUTE_MS);
    expect(await codeOf(other.keep.authenticate(token))).toBe('unauthorized');
    expect(await codeOf(one.keep.authenticate(token))).toBe('unauthorized');
  });
});

test('both servers together keep at most 32 opaque sessions', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  const { secret, credential } = await bootstrapTenant(one.keep, {
    tenantId: 'acme',
    subjectId: 'ops',
  });
  const admin = await one.keep.authenticate(secret);
  const login = { username: 'ann', password: PASSWORD };
  const { id } = await admin.loginAccounts.create({ ...login, credentialId: credential.id });
  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      // Some are dropped before their first use.
      codeOf((index % 2 === 0 ? one : other).keep.openSession({ ...login, tenantId: 'acme' })),
    ),
  );
  const open = await servers.store.read((tx) => sessionsOf(tx, 'acme', id));
  expect(open).toHaveLength(32);
});

test('parallel demotions on two servers leave one SuperAdmin', async () => {
  for (let round = 0; round < 5; round += 1) {
    await using servers = await twoServers();
    const { one, other } = servers;
    const ann = await administrator(one, 'ann');
    const bob = await administrator(other, 'bob');
    const [annId, bobId] = [(await idOf(ann)).id, (await idOf(bob, 'bob')).id];
    const codes = await Promise.all([
      codeOf(ann.users.setRoles(bobId, ['Read'])),
      codeOf(bob.users.setRoles(annId, ['Read'])),
    ]);
    expect(codes.filter((code) => code === 'none')).toHaveLength(1);
  }
});

test('the master and a tenant are each created once', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  const tenant = { tenantId: 'acme', subjectId: 'ops' };
  for (const make of [
    [bootstrapMaster(one.keep, 'root'), bootstrapMaster(other.keep, 'root')],
    [bootstrapTenant(one.keep, tenant), bootstrapTenant(other.keep, tenant)],
  ]) {
    const codes = await Promise.all(make.map(codeOf));
    expect(codes.filter((code) => code === 'none')).toHaveLength(1);
  }
});

test('closing one keep leaves the other open', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  const root = await administrator(other);
  await one.keep.close();
  await root.users.create({ username: 'ann', password: PASSWORD });
  expect((await root.stats.get()).entries.accounts).toBe(2);
  expect(await codeOf(one.keep.logIn({ username: 'root', password: PASSWORD }))).toBe(
    'store_closed',
  );
});

async function idOf(
  agent: Awaited<ReturnType<typeof administrator>>,
  username = 'ann',
): Promise<{ readonly id: string }> {
  for await (const user of agent.users.list()) if (user.username === username) return user;
  throw new Error(`There is no ${username}.`);
}
