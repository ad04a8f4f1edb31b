/** What the front door refuses, each with its code and its event. */
import { connect } from '@agentkeep/client';
import { createAdmin } from '@agentkeep/core/operator';
import { ManualClock } from '@agentkeep/core/testing';
import * as oauth from 'oauth4webapi';
import { describe, expect, test } from 'vitest';
import { FormBrowser, left, shown } from '@agentkeep/testkit/form-browser';
import {
  allowed,
  ann,
  began,
  connected,
  redirectUri,
  registered,
  type Served,
  servedDoor,
  url,
} from './served-door.js';

/** Sends a form of a program, and returns status and code. */
async function post({ fetch }: Served, path: string, form: Readonly<Record<string, string>>) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const text = await response.text();
  const answer = text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>);
  return { status: response.status, error: answer['error'], answer };
}

/** Returns the reasons of refusals in the log of the installation. */
async function refusals({ keep }: Served): Promise<unknown[]> {
  const root = { username: 'root', password: 'Correct-Horse-8' };
  await createAdmin(keep, root).catch(() => undefined);
  const { administrator } = await keep.logIn(root);
  const reasons: unknown[] = [];
  for await (const { metadata, event_type } of administrator.audit.query({ action: 'oauth' })) {
    if (event_type === 'permission_denied') reasons.push(metadata['reason']);
  }
  return reasons;
}

/** Whether a token is good. */
function isLive({ fetch }: Served, secret: string): Promise<boolean> {
  const agent = connect({ url, secret, fetch });
  return agent.whoAmI().then(
    () => true,
    () => false,
  );
}

describe('codes', () => {
  test('OAU-C6, OAU-27, OAU-32 fit one program, verifier and address, once', async () => {
    await using here = await servedDoor();
    const client = await registered(here);
    const first = await began(client.client_id);
    const answer = await allowed(here.browser, first);
    const redeem = (form: Readonly<Record<string, string>>) =>
      post(here, '/oauth/token', {
        grant_type: 'authorization_code',
        client_id: client.client_id,
        code: answer.searchParams.get('code') ?? '',
        redirect_uri: redirectUri,
        code_verifier: first.verifier,
        ...form,
      });
    const other = `akp1.${Buffer.from(JSON.stringify({ redirect_uris: [redirectUri] })).toString('base64url')}`;
    for (const wrong of [
      { code_verifier: oauth.generateRandomCodeVerifier() },
      { redirect_uri: `${redirectUri}/` },
      { client_id: other },
      { code: 'unknown' },
    ]) {
      expect([wrong, await redeem(wrong)]).toMatchObject([
        wrong,
        { status: 400, error: 'invalid_grant' },
      ]);
    }
    const good = await redeem({});
    expect(good.status).toBe(200);
    const token = String(good.answer['access_token']);
    expect(await isLive(here, token)).toBe(true);
    expect(await redeem({})).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isLive(here, token)).toBe(false);
    expect((await refusals(here)).length).toBeGreaterThanOrEqual(1);
  });

  test('OAU-C6, OAU-27 live a minute', async () => {
    const clock = new ManualClock();
    await using here = await servedDoor({ clock });
    const client = await registered(here);
    const statusAfter = async (millis: number) => {
      const asked = await began(client.client_id);
      const answer = await allowed(here.browser, asked);
      clock.advance(millis);
      const { status } = await post(here, '/oauth/token', {
        ...{ grant_type: 'authorization_code', client_id: client.client_id },
        ...{ redirect_uri: redirectUri, code_verifier: asked.verifier },
        code: answer.searchParams.get('code') ?? '',
      });
      return status;
    };
    expect(await statusAfter(59_000)).toBe(200);
    expect(await statusAfter(60_000)).toBe(400);
  });

  test('OAU-C7, OAU-29, OAU-30 are asked for in one way only', async () => {
    await using here = await servedDoor();
    const client = await registered(here);
    await here.browser.send(await here.browser.page('/login'), '/login', {
      ...ann,
      tenant: 'acme',
    });
    const ask = async (more: Readonly<Record<string, string>>) => {
      const { address } = await began(client.client_id, more);
      const arrival = await here.browser.open(address);
      if (!('left' in arrival)) return arrival.status;
      const { searchParams, hash } = arrival.left;
      return searchParams.get('error') ?? new URLSearchParams(hash.slice(1)).get('error');
    };
    expect(await ask({ redirect_uri: `${redirectUri}/` })).toBe(400);
    expect(await ask({ redirect_uri: redirectUri.replace('notes', 'notez') })).toBe(400);
    expect(await ask({ client_id: 'unknown' })).toBe(400);
    expect(await ask({ code_challenge: '', code_challenge_method: '' })).toBe('invalid_request');
    expect(await ask({ code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await ask({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await ask({ resource: 'https://elsewhere.example' })).toBe('invalid_target');
    expect(await refusals(here)).toContain('invalid_redirect_uri');
  });
});

describe('refresh tokens', () => {
  test('OAU-C8, OAU-31 are used once, and never widen', async () => {
    await using here = await servedDoor();
    const { client, tokens } = await connected(here);
    const refresh = (refresh_token: string, more: Readonly<Record<string, string>> = {}) =>
      post(here, '/oauth/token', {
        grant_type: 'refresh_token',
        client_id: client.client_id,
        refresh_token,
        ...more,
      });
    const first = tokens.refresh_token ?? '';
    expect(await refresh(first, { scope: 'read write' })).toMatchObject({
      status: 400,
      error: 'invalid_scope',
    });
    const renewed = await refresh(first);
    expect(renewed).toMatchObject({ status: 200, answer: { scope: 'read' } });
    const [token, next] = ['access_token', 'refresh_token'].map((name) =>
      String(renewed.answer[name]),
    ) as [string, string];
    expect(await isLive(here, token)).toBe(true);
    expect(await refresh(first)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await isLive(here, token)).toBe(false);
    expect(await refresh(next)).toMatchObject({ status: 400, error: 'invalid_grant' });
    expect(await refusals(here)).toContain('invalid_scope');
  });

  test('OAU-31 of two at the same time one succeeds', async () => {
    await using here = await servedDoor();
    const { client, tokens } = await connected(here);
    const form = {
      grant_type: 'refresh_token',
      client_id: client.client_id,
      refresh_token: tokens.refresh_token ?? '',
    };
    const both = await Promise.all([
      post(here, '/oauth/token', form),
      post(here, '/oauth/token', form),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('revocation', () => {
  test('OAU-C11, OAU-12, OAU-18 ends the connection of the program that asks', async () => {
    await using here = await servedDoor();
    const revoke = (token: string, client_id: string) =>
      post(here, '/oauth/revoke', { token, client_id });
    const first = await connected(here);
    expect((await revoke(first.tokens.access_token, first.client.client_id)).status).toBe(200);
    expect(await isLive(here, first.tokens.access_token)).toBe(false);
    const second = await connected(here);
    const stranger = await registered({
      fetch: (input, init) =>
        here.fetch(input, {
          ...init,
          body: JSON.stringify({ client_name: 'Other', redirect_uris: [redirectUri] }),
        }),
    });
    for (const token of [second.tokens.access_token, second.tokens.refresh_token ?? '']) {
      expect((await revoke(token, stranger.client_id)).status).toBe(200);
    }
    expect(await isLive(here, second.tokens.access_token)).toBe(true);
    expect((await revoke('unknown', stranger.client_id)).status).toBe(200);
    const refresh = second.tokens.refresh_token ?? '';
    expect((await revoke(refresh, second.client.client_id)).status).toBe(200);
    expect(await isLive(here, second.tokens.access_token)).toBe(false);
  });
});

describe('forms', () => {
  test('OAU-C9, OAU-24, OAU-25 count from the browser and the page that they are for', async () => {
    await using here = await servedDoor();
    const client = await registered(here);
    const { address } = await began(client.client_id);
    const login = await here.browser.page(address);
    const consent = shown(await here.browser.send(login, '/login', { ...ann, tenant: 'acme' }));
    const allow = { access: 'read', scope: '0', days: '7', answer: 'allow' };
    const foreign = { origin: 'https://evil.example' };
    expect(shown(await here.browser.send(consent, consent.target, allow, foreign)).status).toBe(
      403,
    );
    const bare = await here.browser.post(consent.target, new URLSearchParams(allow).toString());
    expect(shown(bare).status).toBe(403);
    // Another browser of the same person, and another request of this browser.
    const elsewhere = new FormBrowser(here.app, url);
    const page = await elsewhere.page('/login');
    await elsewhere.send(page, '/login', { ...ann, tenant: 'acme' });
    expect((await elsewhere.page(consent.target)).status).toBe(404);
    const second = await here.browser.page((await began(client.client_id)).address);
    expect(shown(await here.browser.send(consent, second.target, allow)).status).toBe(403);
    const { agent } = await here.keep.logIn({ ...ann, tenantId: 'acme' });
    expect(await agent.connections.list()).toEqual([]);
    const denied = left(await here.browser.send(second, second.target, { answer: 'deny' }));
    expect(denied.searchParams.get('error')).toBe('access_denied');
    expect(denied.searchParams.get('iss')).toBe(url);
    // Answered requests are over.
    expect((await here.browser.page(second.target)).status).toBe(404);
  });

  test('OAU-C10, OAU-23 logins at the page count as those of the API', async () => {
    await using here = await servedDoor();
    const page = await here.browser.page('/login?next=https%3A%2F%2Fevil.example');
    expect(page.text).toContain('name="next" value="/account"');
    const login = async (password: string) =>
      shown(await here.browser.send(page, '/login', { username: 'ann', password, tenant: 'acme' }));
    for (let tried = 0; tried < 5; tried += 1) expect((await login('wrong')).status).toBe(401);
    expect((await login(ann.password)).status).toBe(429);
    const api = here.keep.logIn({ ...ann, tenantId: 'acme' });
    await expect(api).rejects.toMatchObject({ code: 'account_locked' });
  });
});
