/** Two servers of one store: what one began, the other ends, and only once. */
import { connect } from '@agentkeep/client';
import { openKeep } from '@agentkeep/core';
import { quickPasswords } from '@agentkeep/core/testing';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { createServer } from '../../src/index.js';
import { FormBrowser, shown } from '@agentkeep/testkit/form-browser';
import { allowed, ann, began, redirectUri, registered, servedDoor, url } from './served-door.js';

/** Opens a second server beside a first one. */
async function twoDoors() {
  const store = sharedTestStore();
  const one = await servedDoor({ store: store.open() });
  const keep = await openKeep({ store: store.open(), passwords: quickPasswords });
  const other = createServer(keep, { frontDoor: { publicUrl: url, clientRegistration: true } });
  const post = async (at: typeof other, form: Readonly<Record<string, string>>) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(form).toString();
    const response = await at.request(`${url}/oauth/token`, { method: 'POST', headers, body });
    const answer = (await response.json()) as Readonly<Record<string, unknown>>;
    return { status: response.status, answer };
  };
  const close = async (): Promise<void> => {
    await keep.close();
    await one.keep.close();
  };
  return { one, other, post, [Symbol.asyncDispose]: close };
}

/** Begins a connection at the first server. Returns the form that redeems its code. */
async function begun({ one }: Awaited<ReturnType<typeof twoDoors>>) {
  const { client_id } = await registered(one);
  const asked = await began(client_id);
  const answer = await allowed(one.browser, asked);
  const code = answer.searchParams.get('code') ?? '';
  const named = { grant_type: 'authorization_code', client_id, redirect_uri: redirectUri };
  return { ...named, code, code_verifier: asked.verifier };
}

test('OAU-C14, OAU-27 what one server began, the other ends', async () => {
  await using doors = await twoDoors();
  const { one, other, post } = doors;
  const redemption = await begun(doors);
  const { client_id } = redemption;
  const refresh = (token: unknown) => ({
    ...{ grant_type: 'refresh_token', client_id, refresh_token: String(token) },
  });
  const first = await post(other, redemption);
  expect(first.status).toBe(200);
  const renewed = await post(one.app, refresh(first.answer['refresh_token']));
  expect(renewed.status).toBe(200);
  // The token works at both, until it is ended at one.
  const fetch = (input: string, init?: RequestInit) => Promise.resolve(other.request(input, init));
  const agent = connect({ url, secret: String(renewed.answer['access_token']), fetch });
  const { id } = await agent.whoAmI();
  await one.admin.credentials.revoke(id, 1);
  await expect(agent.whoAmI()).rejects.toMatchObject({ code: 'unauthorized' });
  expect((await post(other, refresh(renewed.answer['refresh_token']))).status).toBe(400);
});

test('OAU-C14, OAU-31 of two uses at the same time at most one succeeds', async () => {
  await using doors = await twoDoors();
  const { one, other, post } = doors;
  for (let round = 0; round < 5; round += 1) {
    const redemption = await begun(doors);
    const both = await Promise.all([one.app, other].map((at) => post(at, redemption)));
    const won = both.filter(({ status }) => status === 200);
    expect(won.length).toBeLessThanOrEqual(1);
    // Later uses never succeed.
    expect((await post(other, redemption)).status).toBe(400);
  }
});

test('OAU-C14, OAU-31 a token that was used at one server is recognised at the other', async () => {
  await using doors = await twoDoors();
  const { one, other, post } = doors;
  const redemption = await begun(doors);
  const { client_id } = redemption;
  const refresh = (at: typeof other, token: unknown) =>
    post(at, { grant_type: 'refresh_token', client_id, refresh_token: String(token) });
  const first = (await post(one.app, redemption)).answer['refresh_token'];
  let newest = first;
  for (let turn = 0; turn < 6; turn += 1) {
    const renewed = await refresh(turn % 2 === 0 ? other : one.app, newest);
    expect(renewed.status).toBe(200);
    newest = renewed.answer['refresh_token'];
  }
  expect((await refresh(other, first)).answer['error']).toBe('invalid_grant');
  expect((await refresh(one.app, newest)).answer['error']).toBe('invalid_grant');
});

test('OAU-C15, OAU-25 a request that is answered 30 times at once is answered once', async () => {
  await using doors = await twoDoors();
  const { one, other, post } = doors;
  const { client_id } = await registered(one);
  for (const answer of ['allow', 'deny']) {
    const asked = await began(client_id);
    const login = await one.browser.page(asked.address);
    const consent = login.target.startsWith('/login')
      ? shown(await one.browser.send(login, '/login', { ...ann, tenant: 'acme' }))
      : login;
    // The same browser, at both servers.
    const elsewhere = new FormBrowser(other, url);
    for (const [name, cookie] of one.browser.cookies) elsewhere.cookies.set(name, cookie);
    const choice = { access: 'read', scope: '0', days: '7', answer };
    const arrivals = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 === 0 ? one.browser : elsewhere).send(consent, consent.target, choice),
      ),
    );
    const answers = arrivals.flatMap((each) => ('left' in each ? [each.left] : []));
    const pages = arrivals.flatMap((each) => ('left' in each ? [] : [each]));
    expect(answers).toHaveLength(1);
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([409]));
    for (const { text } of pages) expect(text).toContain('href="/account"');
    const code = answers[0]?.searchParams.get('code');
    const named = { grant_type: 'authorization_code', client_id, redirect_uri: redirectUri };
    const redemption = { ...named, code: code ?? '', code_verifier: asked.verifier };
    expect((await post(other, redemption)).status).toBe(answer === 'allow' ? 200 : 400);
  }
  const { agent } = await one.keep.logIn({ ...ann, tenantId: 'acme' });
  expect(await agent.connections.list()).toHaveLength(1);
});
