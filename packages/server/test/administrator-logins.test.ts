/** What an account of the installation reaches after a login, in process and over HTTP. */
import { type Administrator, AgentkeepError, openKeep } from '@agentkeep/core';
import { bootstrapMaster, bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connectAdministrator, logIn, openSession } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const login = { username: 'root', password: 'Correct-Horse-7' };
const policy = { name: 'n', endpointType: 'Login', maxRequests: 9, windowSecs: 60 } as const;

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof AgentkeepError ? error.code : undefined;
}

async function setUp(way: 'embedded' | 'HTTP') {
  const keep = await openKeep({ store: testStore(), passwords: quickPasswords });
  await createAdmin(keep, login);
  const at = { url: 'http://localhost', fetch: createServer(keep).request };
  return way === 'HTTP'
    ? {
        keep,
        logIn: () => logIn({ ...at, ...login }),
        openSession: () => openSession({ ...at, ...login }),
        administer: async (secret: string) => connectAdministrator({ ...at, secret }),
      }
    : {
        keep,
        logIn: () => keep.logIn(login),
        openSession: () => keep.openSession(login),
        administer: (secret: string) => keep.administer(secret),
      };
}

/** Calls that only the installation may make, by role. */
async function govern({ rateLimits, stats, users, audit, lockouts }: Administrator) {
  const { id } = await rateLimits.create(policy);
  await users.create({ username: 'ann', password: 'Correct-Horse-8' });
  await lockouts.lock('ann');
  expect(await rateLimits.get(id)).toMatchObject({ max_requests: 9, revision: 1 });
  const changed = await rateLimits.update(id, { maxRequests: 8, expectedRevision: 1 });
  expect(changed).toMatchObject({ max_requests: 8, revision: 2 });
  const stale = rateLimits.update(id, { maxRequests: 7, expectedRevision: 1 });
  expect(await codeOf(stale)).toBe('revision_conflict');
  expect((await stats.get()).entries.accounts).toBe(2);
  const { events } = await audit.queryPage({ eventType: 'user_created', limit: 1 });
  expect(events).toHaveLength(1);
}

describe.each(['embedded', 'HTTP'] as const)('%s', (way) => {
  test('a login without a tenant gives an administrator, whose session can be renewed', async () => {
    const { keep, logIn: enter } = await setUp(way);
    const { administrator, agent } = await enter();
    await govern(administrator);
    await administrator.session.refresh();
    const { key } = await administrator.keys.create('nightly');
    expect(key).toMatch(/^ak_/);
    expect(await codeOf(agent.whoAmI())).toBe('forbidden');
    expect(await codeOf(administrator.identity())).toBe('forbidden');
    await administrator.session.logOut();
    expect(await codeOf(agent.session.refresh())).toBe('unauthorized');
    await keep.close();
  });

  test('an opaque session gives an administrator too', async () => {
    const { keep, openSession: enter } = await setUp(way);
    const { administrator } = await enter();
    await govern(administrator);
    await keep.close();
  });

  test('an API key of such an account administers, and so does the master', async () => {
    const { keep, logIn: enter, administer } = await setUp(way);
    const { key } = await (await enter()).administrator.keys.create('nightly');
    await govern(await administer(key));
    const { secret } = await bootstrapMaster(keep, 'root');
    const page = await (await administer(secret)).rateLimits.listPage({ limit: 1 });
    expect(page.policies).toMatchObject([{ name: 'n' }]);
    await keep.close();
  });

  test('a principal of a tenant reaches nothing of the installation', async () => {
    const { keep, administer } = await setUp(way);
    const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
    const stats = (async () => (await administer(secret)).stats.get())();
    expect(await codeOf(stats)).toBe('forbidden');
    await keep.close();
  });
});
