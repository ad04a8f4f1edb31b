/** Stolen codes and refresh tokens: a second use of any of them ends the connection. */
import { connect } from '@agentkeep/client';
import { createAdmin } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import {
  began,
  connected,
  redirectUri,
  registered,
  type Served,
  servedDoor,
  url,
} from '../front-door/served-door.js';

type Form = Readonly<Record<string, string>>;

async function ask({ fetch }: Served, form: Form, path = '/oauth/token') {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams(form).toString();
  const response = await fetch(url + path, { method: 'POST', headers, body });
  const text = await response.text();
  const answer = (text === '' ? {} : JSON.parse(text)) as Readonly<Record<string, string>>;
  return { status: response.status, answer, error: answer['error'] };
}

/** A program whose first refresh token a thief renewed many times. */
async function stolen(here: Served, rotations = 20) {
  const { client, tokens, code, began: asked } = await connected(here);
  const refresh = (token: string, more: Form = {}) =>
    ask(here, {
      ...{ grant_type: 'refresh_token', client_id: client.client_id, refresh_token: token },
      ...more,
    });
  const used = [tokens.refresh_token ?? ''];
  let access = tokens.access_token;
  for (let turn = 0; turn < rotations; turn += 1) {
    const { status, answer } = await refresh(used.at(-1) ?? '');
    expect(status).toBe(200);
    used.push(answer['refresh_token'] ?? '');
    access = answer['access_token'] ?? '';
  }
  const newest = used.pop() ?? '';
  const isLive = async () => (await statusOf(here, access)) === 200;
  return { client, code, asked, refresh, used, newest, isLive };
}

async function statusOf({ fetch }: Served, secret: string): Promise<number> {
  const headers = { authorization: `Bearer ${secret}` };
  return (await fetch(`${url}/api/v1/identity`, { headers })).status;
}

/** Returns the reasons of revocations, as the log of the tenant has them. */
async function revocations({ keep }: Served): Promise<unknown[]> {
  const root = { username: 'root', password: 'Correct-Horse-8' };
  await createAdmin(keep, root);
  const { administrator } = await keep.logIn(root);
  const found: unknown[] = [];
  for await (const { tenant_id, metadata } of administrator.audit.query({
    eventType: 'configuration_changed',
  })) {
    if (metadata['change'] === 'revoked') found.push([tenant_id, metadata['reason']]);
  }
  return found;
}

describe('refresh tokens', () => {
  test('OAU-C16, OAU-12, OAU-31 a thief who renews 20 times is noticed by the first token', async () => {
    await using here = await servedDoor();
    const { refresh, used, newest, isLive } = await stolen(here);
    expect(await isLive()).toBe(true);
    expect(await refresh(used[0] ?? '')).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isLive()).toBe(false);
    expect(await refresh(newest)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await revocations(here)).toEqual([['acme', 'reuse']]);
  });

  test('OAU-31 is noticed by every one between, whatever else the request states', async () => {
    const wrong: readonly Form[] = [
      { scope: 'read write learn' },
      { client_id: 'unknown' },
      {
        client_id: `akp1.${Buffer.from('{"redirect_uris":["https://x.test/"]}').toString('base64url')}`,
      },
      { resource: 'https://elsewhere.example' },
    ];
    for (const [at, more] of wrong.entries()) {
      await using here = await servedDoor();
      const { refresh, used, isLive } = await stolen(here, 4);
      expect(await refresh(used[at] ?? '', more)).toMatchObject({ error: 'invalid_grant' });
      expect(await isLive()).toBe(false);
    }
  });

  test('OAU-31 is noticed after days without a use', async () => {
    const clock = new ManualClock();
    await using here = await servedDoor({ clock });
    const { used, refresh } = await stolen(here, 2);
    const { agent } = await here.keep.logIn({
      ...{ username: 'ann', password: 'Correct-Horse-7', tenantId: 'acme' },
    });
    const [connection] = await agent.connections.list();
    // The connection of the test lives seven days.
    clock.advance(6 * 86_400_000);
    await refresh(used[0] ?? '');
    const ended = await here.admin.credentials.inspect(connection?.id ?? '');
    expect(ended.revoked_at_millis).toBe(clock.now());
  });

  test('OAU-31 texts that were never issued end nothing', async () => {
    await using here = await servedDoor();
    const { refresh, newest, used, isLive } = await stolen(here, 1);
    const mistyped = [
      `${newest}x`,
      newest.slice(0, -1),
      newest.slice(0, -1) + (newest.endsWith('A') ? 'B' : 'A'),
      newest.replace('.', '.A'),
      newest.split('.')[0] ?? '',
      `${newest.split('.')[0] ?? ''}.x`,
      `x${used[0] ?? ''}`,
      '',
      '.',
      'ф'.repeat(40),
    ];
    for (const text of mistyped) {
      expect([text, (await refresh(text)).status]).toEqual([text, 400]);
      expect(await isLive()).toBe(true);
    }
    expect((await refresh(newest)).status).toBe(200);
  });

  test('OAU-12 a used token that is revoked by its program ends the connection too', async () => {
    await using here = await servedDoor();
    const { client, used, isLive } = await stolen(here, 3);
    const form = { token: used[1] ?? '', client_id: client.client_id };
    expect((await ask(here, form, '/oauth/revoke')).status).toBe(200);
    expect(await isLive()).toBe(false);
  });

  test('OAU-31 a refresh that the tenant refuses does not use the token up', async () => {
    await using here = await servedDoor();
    const { refresh, newest, isLive } = await stolen(here, 1);
    const { id: credentialId } = await here.admin.whoAmI();
    const chief = { username: 'chief', password: 'Correct-Horse-9' };
    await here.admin.loginAccounts.create({ ...chief, credentialId });
    const { tokens } = await here.keep.logIn({ ...chief, tenantId: 'acme' });
    const { credentials } = connect({ url, secret: tokens.access_token, fetch: here.fetch });
    await credentials.setKeyRequirement({ requiresKeys: true }, 0);
    expect((await refresh(newest)).status).toBe(400);
    expect(await isLive()).toBe(false);
    await credentials.setKeyRequirement({ requiresKeys: false }, 1);
    expect(await isLive()).toBe(true);
    expect((await refresh(newest)).status).toBe(200);
    expect(await isLive()).toBe(true);
  });
});

describe('codes', () => {
  test('OAU-31 a used code ends the connection, with any verifier and at any time', async () => {
    const clock = new ManualClock();
    await using here = await servedDoor({ clock });
    const { client, code, isLive } = await stolen(here, 2);
    expect(await isLive()).toBe(true);
    clock.advance(500_000);
    expect(await isLive()).toBe(true);
    const again = {
      ...{ grant_type: 'authorization_code', client_id: client.client_id, code },
      ...{ redirect_uri: redirectUri, code_verifier: 'v'.repeat(43) },
    };
    expect(await ask(here, again)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isLive()).toBe(false);
    expect(await revocations(here)).toEqual([['acme', 'reuse']]);
  });

  test('OAU-27 `redirect_uri` is never left out', async () => {
    await using here = await servedDoor();
    const { code, client, asked } = await stolen(here, 0);
    const { client_id } = client;
    const redemption = {
      ...{ grant_type: 'authorization_code', client_id, code: `${code}x` },
      code_verifier: asked.verifier,
    };
    expect(await ask(here, redemption)).toMatchObject({ error: 'invalid_request' });
    const { client_id: id } = await registered(here);
    const { address } = await began(id);
    const without = address.replace(/redirect_uri=[^&]*&/u, '');
    const page = await here.browser.page(without);
    expect([page.status, page.text.includes('redirect_uri')]).toEqual([400, true]);
  });
});
