/** What a connected program keeps once its account has a new password, or is not active. */
import { createAdmin } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { ann, connected, type Served, servedDoor, url } from '../front-door/served-door.js';

const root = { username: 'root', password: 'Correct-Horse-8' };
const tenant = { tenantId: 'acme' };

/** Returns the status of the program's access token, and of its refresh. */
async function programOf(here: Served) {
  const { client, tokens } = await connected(here);
  return async () => {
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const { status } = await here.fetch(`${url}/api/v1/identity`, { headers });
    const answer = await here.fetch(`${url}/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: client.client_id,
        refresh_token: tokens.refresh_token ?? '',
      }).toString(),
    });
    return { status, refresh: ((await answer.json()) as { error?: string }).error ?? 'granted' };
  };
}

async function administratorOf({ keep }: Served) {
  await createAdmin(keep, root);
  const { administrator } = await keep.logIn(root);
  return administrator;
}

const ended = { status: 401, refresh: 'invalid_grant' };

test('SES-97, OAU-12 programs end with the password that a person replaces', async () => {
  await using here = await servedDoor();
  const program = await programOf(here);
  const send = (path: string, method: string, body: object, headers = {}) =>
    here.fetch(url + path, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await send('/api/v1/auth/login', 'POST', { ...ann, tenant_id: 'acme' });
  const { access_token } = (await login.json()) as { access_token: string };
  const change = { current_password: ann.password, new_password: 'Correct-Horse-9' };
  const own = { authorization: `Bearer ${access_token}` };
  const changed = await send('/api/v1/users/me/password', 'PUT', change, own);
  expect(await changed.json()).toMatchObject({
    message: expect.stringContaining('connected programs have ended') as string,
  });
  expect(await program()).toEqual(ended);
});

test('SES-97, OAU-12 programs end with a reset, which the audit log tells', async () => {
  await using here = await servedDoor();
  const program = await programOf(here);
  const administrator = await administratorOf(here);
  await administrator.users.resetPassword(here.account.id, 'Correct-Horse-9', tenant);
  expect(await program()).toEqual(ended);
  const revoked: unknown[] = [];
  for await (const { metadata } of administrator.audit.query({
    eventType: 'configuration_changed',
  })) {
    if (metadata['change'] === 'revoked') revoked.push(metadata['change']);
  }
  expect(revoked).toEqual(['revoked']);
});

test('SES-97 programs of a deactivated account do not come back with it', async () => {
  await using here = await servedDoor();
  const program = await programOf(here);
  const administrator = await administratorOf(here);
  await administrator.users.update(here.account.id, { is_active: false }, tenant);
  expect(await program()).toEqual(ended);
  await administrator.users.update(here.account.id, { is_active: true }, tenant);
  expect(await program()).toEqual(ended);
});

test('SES-97 programs go on when only roles or the address change', async () => {
  await using here = await servedDoor();
  const program = await programOf(here);
  const administrator = await administratorOf(here);
  await administrator.users.update(here.account.id, { email: 'ann@acme.example' }, tenant);
  expect(await program()).toEqual({ status: 200, refresh: 'granted' });
});
