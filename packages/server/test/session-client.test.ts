/** Logging in through the two clients, which are interchangeable. */
import { type Agent, type LoggedIn, type LoginInput, openKeep } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { connect, logIn } from '../src/client.js';
import { createServer } from '../src/http/create-server.js';

const PASSWORD = 'Correct-horse-1';
const HOUR_MS = 3_600_000;

async function setUp(way: 'embedded' | 'HTTP') {
  const clock = new ManualClock();
  const keep = await openKeep({ store: testStore(), clock, passwords: quickPasswords });
  const { id } = await createAdmin(keep, { username: 'root', password: PASSWORD });
  const at = { url: 'http://localhost/', fetch: createServer(keep).request };
  const enter = (login: LoginInput): Promise<LoggedIn> =>
    way === 'HTTP' ? logIn({ ...at, ...login }) : keep.logIn(login);
  const prove = async (secret: string): Promise<Agent> =>
    way === 'HTTP' ? connect({ ...at, secret }) : keep.authenticate(secret);
  return { clock, keep, id, enter, prove };
}

describe.each(['embedded', 'HTTP'] as const)('a login, %s', (way) => {
  test('returns an agent that continues with each new token until it logs out', async () => {
    const { clock, keep, enter, prove } = await setUp(way);
    const { agent, tokens } = await enter({ username: 'root', password: PASSWORD });
    expect(tokens).toMatchObject({ expires_in: 3_600, username: 'root' });
    for (let refreshes = 0; refreshes < 3; refreshes += 1) {
      clock.advance(HOUR_MS - 1_000);
      await agent.session.refresh();
    }
    clock.advance(HOUR_MS);
    const refused = { code: 'unauthorized' };
    await expect(agent.audit.queryPage()).rejects.toMatchObject(refused);
    await expect(agent.session.refresh()).rejects.toMatchObject(refused);
    await agent.session.refresh({ refreshToken: tokens.refresh_token });
    await agent.audit.queryPage();
    const other = await prove(
      (await agent.session.refresh({ refreshToken: tokens.refresh_token })).access_token,
    );
    await agent.session.logOut();
    for (const each of [agent, other]) {
      await expect(each.audit.queryPage()).rejects.toMatchObject(refused);
    }
    await keep.close();
  });

  test('is refused with the remaining attempts', async () => {
    const { keep, enter } = await setUp(way);
    const attempt = enter({ username: 'root', password: 'wrong', tenantId: 'acme' });
    await expect(attempt).rejects.toMatchObject({
      code: 'invalid_login',
      details: { failed_attempts: 1, remaining_attempts: 4 },
    });
    await keep.close();
  });

  test('ends for one token, or for all tokens of an account', async () => {
    const { keep, id, enter } = await setUp(way);
    const login = { username: 'root', password: PASSWORD };
    const [one, two] = [await enter(login), await enter(login)];
    expect(await two.agent.session.revoke(one.tokens.access_token)).toMatch(/^[0-9a-f-]{36}$/);
    await expect(one.agent.audit.queryPage()).rejects.toMatchObject({ code: 'unauthorized' });
    const invalid = two.agent.session.revoke(one.tokens.refresh_token);
    await expect(invalid).rejects.toMatchObject({ code: 'invalid_token', details: {} });
    await two.agent.session.revokeAll(id, { reason: 'security_incident' });
    await expect(two.agent.audit.queryPage()).rejects.toMatchObject({ code: 'unauthorized' });
    const { agent } = await enter(login);
    const page = await agent.audit.queryPage({ eventType: 'all_tokens_revoked' });
    expect(page.events).toMatchObject([
      {
        user_id: id,
        username: 'root',
        metadata: {
          reason: 'security_incident',
          previously_revoked_count: 1,
          revoked_by_admin_id: id,
        },
      },
    ]);
    await keep.close();
  });
});
