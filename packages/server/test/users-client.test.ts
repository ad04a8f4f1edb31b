/** The users of an agent: the same program in process and over HTTP. */
import { type Agent, AgentkeepError, openKeep, type User } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connect } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const PASSWORD = 'Correct-Horse-7';

/** Returns the error that an agent sees. */
async function refusal(work: Promise<unknown>): Promise<[code: string, message: string]> {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof AgentkeepError)) throw new Error('It was not refused.');
  return [error.code, error.message];
}

async function all(users: AsyncIterable<User>): Promise<string[]> {
  const names: string[] = [];
  for await (const { username } of users) names.push(username);
  return names;
}

async function program(agent: Agent): Promise<void> {
  const { users } = agent;
  const ann = await users.create({ username: 'ann', password: PASSWORD, email: 'a@x.test' });
  await users.create({ username: 'bob', password: PASSWORD, roles: [] });
  expect(ann).toMatchObject({ email: 'a@x.test', roles: ['Read'], tenant_id: 'acme' });
  expect(await users.get(ann.id)).toEqual(ann);
  expect((await users.update(ann.id, { email: null })).email).toBeNull();
  expect((await users.setRoles(ann.id, ['Write'])).roles).toEqual(['Write']);
  await users.resetPassword(ann.id, `${PASSWORD}!`);
  expect((await users.listPage({ limit: 1 })).next_cursor).not.toBeNull();
  expect(await all(users.list({ limit: 1 }))).toEqual(['ann', 'bob', 'chief']);
  expect(await all(users.list({ tenantId: 'acme' }))).toEqual(['ann', 'bob', 'chief']);
  await users.delete(ann.id);
  expect(await all(users.list())).toEqual(['bob', 'chief']);

  expect(await refusal(users.create({ username: 'eve', password: 'Weak-1' }))).toEqual([
    'weak_password',
    'at least 12 characters',
  ]);
  expect((await refusal(users.list({ tenantId: 'other' }).next()))[0]).toBe('forbidden');
  expect((await refusal(users.changeOwnPassword(PASSWORD, `${PASSWORD}!`)))[0]).toBe('forbidden');
}

test.each(['in process', 'over HTTP'])('an administrator works %s', async (way) => {
  await using keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId: 'acme' });
  const { request } = createServer(keep);
  const agent =
    way === 'in process'
      ? await keep.authenticate(secret)
      : connect({ url: 'http://localhost', secret, fetch: request });
  await program(agent);
});
