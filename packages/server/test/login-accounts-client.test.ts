/** Login accounts and sessions of the platform: the same program in process and over HTTP. */
import {
  type Agent,
  AgentkeepError,
  type LoginAccount,
  type LoginInput,
  openKeep,
  type OpenedSession,
} from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connect, connectAdministrator, openSession } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const ann = { username: 'ann', password: 'Correct-Horse-7' };

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AgentkeepError ? error.code : undefined;
}

async function setUp(way: 'embedded' | 'HTTP') {
  const clock = new ManualClock();
  const keep = await openKeep({ store: testStore(), clock, passwords: quickPasswords });
  const at = { url: 'http://localhost', fetch: createServer(keep).request };
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const isRemote = way === 'HTTP';
  const prove = async (secret: string): Promise<Agent> =>
    isRemote ? connect({ ...at, secret }) : keep.authenticate(secret);
  return {
    clock,
    keep,
    credentialId: made.credential.id,
    admin: await prove(made.secret),
    administer: async (secret: string) =>
      isRemote ? connectAdministrator({ ...at, secret }) : keep.administer(secret),
    enter: (login: LoginInput): Promise<OpenedSession> =>
      isRemote ? openSession({ ...at, ...login }) : keep.openSession(login),
  };
}

describe.each(['embedded', 'HTTP'] as const)('%s', (way) => {
  test('a tenant makes, changes, lists and disables its accounts', async () => {
    const { keep, admin, credentialId } = await setUp(way);
    const { loginAccounts } = admin;
    const made = await loginAccounts.create({ ...ann, credentialId });
    const other = await loginAccounts.create({ ...ann, username: 'bob', credentialId });
    expect(await loginAccounts.inspect(made.id)).toEqual(made);
    const changed = await loginAccounts.changePassword(made.id, 1, 'Battery.Staple8');
    const disabled = await loginAccounts.disable(made.id, changed.revision);
    expect(disabled.history.map(({ action }) => action)).toEqual([
      'login_account_created',
      'login_password_changed',
      'login_account_disabled',
    ]);
    const listed: LoginAccount[] = [];
    for await (const each of loginAccounts.list({ limit: 1 })) listed.push(each);
    expect(listed).toEqual([disabled, other]);
    expect(await codeOf(loginAccounts.disable(other.id, 7))).toBe('revision_conflict');
    expect(await codeOf(loginAccounts.inspect(credentialId))).toBe('forbidden');
    await keep.close();
  });

  test('a session of a tenant ends after a quarter of an hour, or when it is ended', async () => {
    const { clock, keep, admin, credentialId, enter } = await setUp(way);
    await admin.loginAccounts.create({ ...ann, credentialId });
    const login = { ...ann, tenantId: 'acme' };
    const [one, two] = [await enter(login), await enter(login)];
    expect(one.session).toMatchObject({
      token_type: 'Bearer',
      expires_at_millis: clock.now() + 900_000,
      account: { username: 'ann', credential_id: credentialId },
    });
    expect((await one.agent.whoAmI()).id).toBe(credentialId);
    await one.agent.session.logOut();
    expect(await codeOf(one.agent.whoAmI())).toBe('unauthorized');
    expect(await codeOf(two.agent.session.refresh())).toBe('unauthorized');
    clock.advance(899_999);
    expect((await two.agent.whoAmI()).tenant_id).toBe('acme');
    clock.advance(1);
    expect(await codeOf(two.agent.whoAmI())).toBe('unauthorized');
    await keep.close();
  });

  test('a session of the installation administrates it', async () => {
    const { keep, enter, administer } = await setUp(way);
    const { secret, credential } = await bootstrapMaster(keep, 'root');
    const master = await administer(secret);
    await master.loginAccounts.create({ ...ann, credentialId: credential.id });
    const { session, agent } = await enter(ann);
    const person = await administer(session.token);
    expect(await person.identity()).toEqual(credential);
    expect(await codeOf(agent.whoAmI())).toBe('unauthorized');
    await agent.session.logOut();
    expect(await codeOf(person.identity())).toBe('unauthorized');
    await keep.close();
  });

  test('a refused login reports the remaining attempts', async () => {
    const { keep, enter } = await setUp(way);
    await expect(enter({ ...ann, tenantId: 'acme' })).rejects.toMatchObject({
      code: 'invalid_login',
      details: { failed_attempts: 1, remaining_attempts: 4 },
    });
    await keep.close();
  });
});
