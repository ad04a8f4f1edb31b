/** People who sign in by an identity provider that is not ours, in process and over HTTP. */
import { afterEach, expect, test } from 'vitest';
import { Browser } from './browser.js';
import { type ClientAddresses, PeopleProvider } from './people-provider.js';
import { codeOf, reasonsOf, REDIRECT, served, type Served, trust } from './sign-in-kit.js';

const groups = ['memory'];

/** Signs the person of a provider in by a program, and returns the tokens. */
async function signIn({ chief }: Served, browser = new Browser()) {
  const request = { issuer: 'staff', redirectUri: REDIRECT, tenantId: 'acme' };
  const { attempt, authorization_url: url } = await chief.signIn.begin(request);
  const back = await browser.reach(url, REDIRECT);
  return chief.signIn.complete(attempt, back.search.slice(1));
}

let provider: PeopleProvider | undefined;
afterEach(async () => {
  await provider?.[Symbol.asyncDispose]();
  provider = undefined;
});

async function running(members: Partial<ClientAddresses> = {}) {
  provider = await PeopleProvider.start({ redirectUri: REDIRECT, ...members });
  provider.people.set('u1', { preferred_username: 'ann', groups });
  provider.person = 'u1';
  return provider;
}

test.each([false, true])(
  'OID-22, OID-24, OID-25 the whole sign-in (public client: %s)',
  async (isPublic) => {
    const { issuer } = await running({ isPublic });
    await using here = await served();
    await trust(here, issuer, isPublic ? { client_secret: null } : {});
    const request = { issuer: 'staff', redirectUri: REDIRECT, tenantId: 'acme' };
    const { attempt, authorization_url, expires_in } = await here.chief.signIn.begin(request);
    const asked = new URL(authorization_url).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('response_type')]).toEqual([
      'S256',
      'code',
    ]);
    expect([expires_in, asked.get('scope')]).toEqual([600, 'openid profile email']);
    const back = await new Browser().reach(authorization_url, REDIRECT);
    expect(back.searchParams.get('iss')).toBe(issuer);
    const tokens = await here.chief.signIn.complete(attempt, back.search.slice(1));
    expect(tokens).toMatchObject({ username: 'ann', token_type: 'Bearer' });
    const ann = here.at(tokens.access_token);
    expect((await ann.users.get(tokens.user_id)).roles).toEqual(['Write']);
    await ann.session.refresh({ refreshToken: tokens.refresh_token });
    // A code counts once, at the issuer and here.
    const replay = here.chief.signIn.complete(attempt, back.search.slice(1));
    expect(await codeOf(replay)).toBe('sign_in_refused');
    // In process it is the same.
    const again = await signIn(here);
    expect(again.user_id).toBe(tokens.user_id);
  },
);

/** The address of the server for browsers, which are led there by the app itself. */
const PUBLIC_URL = 'https://memory.example.test';
const HOME = `${PUBLIC_URL}/login/openid`;

function browserOf({ fetch: ours }: Served): Browser {
  return new Browser((url, init) =>
    url.startsWith(PUBLIC_URL) ? ours(url, init) : fetch(url, init),
  );
}

test('OID-32, OID-33 a browser signs in over HTTP, and keeps nothing of the sign-in', async () => {
  const { issuer } = await running({ redirectUri: `${HOME}/callback` });
  await using here = await served({ publicUrl: PUBLIC_URL });
  await trust(here, issuer);
  const browser = browserOf(here);
  const start = `${HOME}/staff?tenant=acme&next=%2Faccount`;
  const begun = await browser.request(start);
  expect([begun.status, begun.headers.get('cache-control')]).toEqual([303, 'no-store']);
  expect(begun.headers.get('set-cookie')).toMatch(
    /^__Host-agentkeep_sign_in=[\w-]+\.[\w-]+; Max-Age=600; Path=\/; HttpOnly; .*=Lax; Secure$/,
  );
  const signedIn = await browser.open(begun.headers.get('location') ?? '');
  expect(await signedIn.text()).toContain('<strong><bdi>ann</bdi></strong>');
  const token = browser.cookie(PUBLIC_URL, '__Host-agentkeep_session') ?? '';
  expect((await here.at(token).connections.list()).length).toBe(0);
  expect(browser.cookie(PUBLIC_URL, '__Host-agentkeep_sign_in')).toBeUndefined();
  // A browser that began nothing cannot come back with the code of another one.
  const back = await browser.reach(start, `${HOME}/callback`);
  const thief = await browserOf(here).request(back.href);
  expect([thief.status, thief.headers.get('content-type')]).toEqual([
    401,
    'text/html; charset=utf-8',
  ]);
  expect(thief.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await reasonsOf(here.root, null)).toEqual(['attempt']);
  // It was not used up.
  expect((await browser.request(back.href)).status).toBe(303);
  expect((await browser.request(back.href)).status).toBe(401);
});

test('OID-32, OID-33 what is refused is a page; without an address there is none', async () => {
  await using here = await served({ publicUrl: 'http://localhost:7474' });
  for (const [path, status] of [
    ['/login/openid/unknown', 404],
    ['/login/openid/%E0%A4%A', 404],
    ['/login/openid/staff?tenant=%01', 400],
    ['/login/openid/callback', 401],
    [`/login/openid/callback?code=${'x'.repeat(9_000)}`, 400],
  ] as const) {
    const answer = await here.fetch(path);
    expect([path, answer.status]).toEqual([path, status]);
  }
  expect((await here.fetch('/login/openid/staff', { method: 'POST' })).status).toBe(405);
  await using plain = await served();
  for (const path of ['/login/openid/staff', '/login/openid/callback']) {
    expect((await plain.fetch(path)).status).toBe(404);
  }
  await expect(served({ publicUrl: 'http://memory.example.test' })).rejects.toThrow(TypeError);
});

test('OID-29, OID-30, OID-34 a logout at the provider ends the session here', async () => {
  const sent: (readonly [number, string])[] = [];
  await using here = await served({ publicUrl: PUBLIC_URL });
  const toUs: typeof fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    if (!url.startsWith(PUBLIC_URL)) return fetch(input, init);
    const { method = 'POST', headers } = init ?? {};
    const body = await new Response(init?.body).text();
    const answer = await here.fetch(url, {
      method,
      headers: new Headers(headers),
      body,
    });
    sent.push([answer.status, body]);
    return answer;
  };
  const logoutUri = `${HOME}/staff/backchannel-logout?tenant=acme`;
  const { issuer } = await running({ logoutUri, fetch: toUs });
  await trust(here, issuer);
  const [browser, elsewhere] = [new Browser(), new Browser()];
  const tokens = await signIn(here, browser);
  const other = await signIn(here, elsewhere);
  const ann = here.at(tokens.access_token);
  await ann.users.get(tokens.user_id);
  // The provider ends the session of this browser, and says so on the back channel.
  const form = await (await browser.open(`${issuer}/session/end`)).text();
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(form) ?? [];
  await browser.request(`${issuer}/session/end/confirm`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ xsrf, logout: 'yes' }).toString(),
  });
  expect(sent.map(([status]) => status)).toEqual([200]);
  expect(await codeOf(ann.users.get(tokens.user_id))).toBe('unauthorized');
  const refresh = here.chief.session.refresh({ refreshToken: tokens.refresh_token });
  expect(await codeOf(refresh)).toBe('unauthorized');
  // The session of the other browser goes on.
  await here.at(other.access_token).users.get(other.user_id);
  const [, form1 = ''] = sent[0] ?? [];
  const post = (body: string, type = 'application/x-www-form-urlencoded') =>
    here.fetch(logoutUri, { method: 'POST', headers: { 'content-type': type }, body });
  for (const [body, type] of [
    [form1],
    ['logout_token=x'],
    ['logout_token='],
    [`${form1}&${form1}`],
    [''],
    [form1, 'application/json'],
  ] as const) {
    const answer = await post(body, type);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
  }
  await here.at(other.access_token).users.get(other.user_id);
  const good = await here.fetch('/api/v1/sign-in/settings', { method: 'DELETE' });
  expect(good.status).toBe(405);
});
