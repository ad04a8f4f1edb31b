/** Audit events of sessions and access tokens (docs/contract/audit.md#aud-31). */
import type { AuditEvent } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { type AuditFixture, auditFixture } from './audit-fixture.js';
import { type Login, PASSWORD, tokens } from '../sessions/session-fixture.js';

const AUTH = '/api/v1/auth';
const NOBODY = { Authorization: '' };

interface Accounts {
  readonly t: AuditFixture;
  readonly ids: Readonly<Record<'ann' | 'sue', string>>;
}

/** Declares a test with two administrators of the tenant. */
function withAccounts(title: string, run: (accounts: Accounts) => Promise<void>): void {
  test(title, async () => {
    await using t = await auditFixture({}, { tokens });
    const make = async (username: string): Promise<string> =>
      (await createAdmin(t.keep, { username, password: PASSWORD, tenantId: 'acme' })).id;
    await run({ t, ids: { ann: await make('ann'), sue: await make('sue') } });
  });
}

async function logIn(t: AuditFixture, username = 'ann'): Promise<Login> {
  const document = { username, password: PASSWORD, tenant_id: 'acme' };
  return (await t.send('POST', `${AUTH}/login`, NOBODY, document)).body as Login;
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const claim = (token: string, name: string): unknown =>
  (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
      string,
      unknown
    >
  )[name];

/** Returns the distinctive members of events of one type. */
async function told(t: AuditFixture, type: AuditEvent['event_type']): Promise<object[]> {
  const events = await t.events(`event_type=${type}`);
  return events.map(({ user_id, username, action, resource, result, tenant_id, metadata }) => {
    const rest = Object.entries(metadata).filter(([name]) => name !== 'request_id');
    const shown = { user_id, username, action, resource, result, tenant_id };
    return { ...shown, metadata: Object.fromEntries(rest) };
  });
}

const authentication = { resource: 'authentication', result: 'success', tenant_id: 'acme' };

withAccounts(
  'AUD-29, AUD-31, AUD-32 a login, a refresh and a logout are events of the account',
  async ({ t, ids }) => {
    const login = await logIn(t);
    const session_id = claim(login.access_token, 'sid');
    const ann = { user_id: ids.ann, username: 'ann' };
    expect(await told(t, 'login')).toEqual([
      { ...ann, action: 'login', ...authentication, metadata: { method: 'jwt', session_id } },
    ]);
    const document = { refresh_token: login.refresh_token };
    const renewed = (await t.send('POST', `${AUTH}/refresh`, NOBODY, document)).body as Login;
    const refreshed = { ...ann, action: 'token_refresh', ...authentication };
    const metadata = { jti: claim(renewed.access_token, 'jti'), session_id };
    expect(await told(t, 'token_refresh')).toEqual([{ ...refreshed, metadata }]);
    await t.send('POST', `${AUTH}/logout`, bearer(renewed.access_token));
    expect(await told(t, 'logout')).toMatchObject([
      { ...ann, action: 'logout', ...authentication, metadata: { session_id } },
    ]);
  },
);

// AUD-33, AUD-34, AUD-61
withAccounts(
  'an access token as a proof is an event, whether accepted or refused',
  async ({ t, ids }) => {
    const { access_token: token, refresh_token } = await logIn(t);
    await t.send('GET', '/api/v1/audit', bearer(token));
    const used = await told(t, 'token_refresh');
    expect(used).toMatchObject([
      { user_id: ids.ann, ...authentication, metadata: { session_id: claim(token, 'sid') } },
    ]);
    await t.send('GET', '/api/v1/audit', bearer(`${token}x`));
    t.clock.advance(60_000);
    await t.send('POST', `${AUTH}/refresh`, bearer(`${token}x`));
    t.clock.advance(60_000);
    await t.send('POST', `${AUTH}/refresh`, bearer('x'), { refresh_token: 'y' });
    t.clock.advance(60_000);
    await t.send('POST', `${AUTH}/refresh`, NOBODY, { refresh_token: `${refresh_token}x` });
    // A request without any proof.
    await t.send('POST', `${AUTH}/refresh`, NOBODY);
    const events = await t.allEvents({ event_type: 'token_refresh_failed' });
    expect(events.map(({ metadata }) => metadata['endpoint'])).toEqual([
      `${AUTH}/refresh`,
      `${AUTH}/refresh`,
      `${AUTH}/refresh`,
      '/api/v1/audit',
    ]);
    for (const event of events) {
      expect(event).toMatchObject({
        user_id: null,
        username: 'unknown',
        action: 'token_refresh_failed',
        resource: 'authentication',
        result: 'unauthorized',
      });
    }
  },
);

withAccounts('a refresh by access token records both its use and the new token', async ({ t }) => {
  const { access_token: token } = await logIn(t);
  await t.send('POST', `${AUTH}/refresh`, bearer(token));
  const kinds = (await told(t, 'token_refresh')).map((event) =>
    Object.keys((event as AuditEvent).metadata).filter((name) => name !== 'principal'),
  );
  expect(kinds.map((names) => names.sort())).toEqual(
    expect.arrayContaining([['jti', 'session_id'], ['session_id']]),
  );
  expect(kinds).toHaveLength(2);
});

// AUD-35, AUD-36, AUD-83, SES-90
withAccounts(
  'revoking a token is one event, and revoking all of an account is one about the account',
  async ({ t, ids }) => {
    const [one, two] = [await logIn(t), await logIn(t)];
    const jti = claim(one.access_token, 'jti');
    for (let times = 0; times < 2; times += 1) {
      await t.send('POST', `${AUTH}/revoke`, NOBODY, { token: one.access_token });
    }
    const ann = { user_id: ids.ann, username: 'ann', tenant_id: 'acme', result: 'success' };
    expect(await told(t, 'token_revoked')).toEqual([
      {
        ...ann,
        action: 'revoke_token',
        resource: `jti:${String(jti)}`,
        metadata: { jti, reason: 'logout' },
      },
    ]);
    const sue = await logIn(t, 'sue');
    for (const reason of [undefined, 'password_changed', 'left the team']) {
      const document = { user_id: ids.ann, ...(reason === undefined ? {} : { reason }) };
      await t.send('POST', `${AUTH}/revoke-all`, bearer(sue.access_token), document);
    }
    const revoked = await told(t, 'all_tokens_revoked');
    expect(revoked).toMatchObject(
      ['left the team', 'password_changed', 'admin_revoke'].map((reason) => ({
        ...ann,
        action: 'revoke_all_tokens',
        resource: `user:${ids.ann}`,
        metadata: { reason, previously_revoked_count: 1, revoked_by_admin_id: ids.sue },
      })),
    );
    const everything = JSON.stringify(await t.allEvents());
    for (const { access_token: token, refresh_token: refreshToken } of [one, two, sue]) {
      expect(everything).not.toContain(token.split('.')[2]);
      expect(everything).not.toContain(refreshToken.slice(-43));
    }
    expect(everything).not.toContain(PASSWORD);
  },
);

withAccounts(
  'a revoke-all without the role is recorded with the missing right',
  async ({ t, ids }) => {
    await t.send('POST', `${AUTH}/revoke-all`, {}, { user_id: ids.ann });
    const [event] = await told(t, 'permission_denied');
    expect(event).toMatchObject({
      username: 'ops',
      action: 'require_permission:super_admin',
      resource: `${AUTH}/revoke-all`,
      result: 'forbidden',
    });
  },
);
