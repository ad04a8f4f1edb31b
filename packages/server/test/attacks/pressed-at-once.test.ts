/** What is good once, sent 30 times at once to two servers of a store. */
import { connect } from '@agentkeep/client';
import { openKeep, type ScopeInput } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { ManualClock, quickPasswords } from '@agentkeep/core/testing';
import { FormBrowser } from '@agentkeep/testkit/form-browser';
import {
  callbackOf,
  logoutToken,
  PEOPLE_ISSUER,
  peoplePorts,
} from '@agentkeep/testkit/test-sign-in';
import { sharedTestStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { ConsoleLinks } from '../../src/console/console-links.js';
import { createServer } from '../../src/index.js';
import {
  allowed,
  ann,
  began,
  redirectUri,
  registered,
  servedDoor,
  url,
} from '../front-door/served-door.js';
import { Browser } from '../openid/browser.js';
import { KeyCaller, newKeys, publicKey } from '../keys/key-caller.js';

const PRESSES = 30;

const root = { username: 'root', password: 'Correct-Horse-7' };
const claims = { sub: 'u1', sid: 's1', preferred_username: 'bob', groups: ['dev'] };
const shared: ScopeInput = { project_id: 'p', agent_id: 'team', visibility: 'shared' };

type App = ReturnType<typeof createServer>;

/** Two servers of a store, whose people sign in by an issuer. */
async function twoServers() {
  const shares = sharedTestStore();
  const clock = new ManualClock(Date.now());
  const ports = () => ({ store: shares.open(), passwords: quickPasswords, clock, ...peoplePorts });
  const here = await servedDoor(ports());
  const keep = await openKeep(ports());
  await createAdmin(here.keep, root);
  const { administrator } = await here.keep.logIn(root);
  const rule = { claims: [{ path: ['groups'], value: 'dev' }], creates_accounts: true };
  const issuer = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: 'agentkeep', rules: [rule] };
  await administrator.signIn.putSettings({ issuers: [issuer] }, 0);
  const links = new ConsoleLinks();
  const options = { frontDoor: { publicUrl: url, clientRegistration: true }, console: { links } };
  const apps = [createServer(here.keep, options), createServer(keep, options)] as const;
  const close = async (): Promise<void> => {
    await keep.close();
    await here.keep.close();
  };
  return { here, apps, clock, links, administrator, [Symbol.asyncDispose]: close };
}

/** Sends something 30 times at once, in turns to both; returns the answers in order. */
function pressed<T>(apps: readonly [App, App], send: (app: App) => T): Promise<Awaited<T>[]> {
  return Promise.all(Array.from({ length: PRESSES }, (_, at) => send(apps[at % 2 ? 1 : 0])));
}

async function post(app: App, path: string, document: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return app.request(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(document) });
}

/** Returns how often each status came. */
function countsOf(answers: readonly { readonly status: number }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

test('OID-C12, OID-23 an attempt to sign in opens one session', async () => {
  await using t = await twoServers();
  const document = { issuer: 'staff', redirect_uri: 'https://memory.example.test/back' };
  const begun = await post(t.apps[0], '/api/v1/sign-in', document);
  const { attempt, authorization_url } = (await begun.json()) as Record<string, string>;
  const callback = callbackOf(authorization_url ?? '', claims);
  const answers = await pressed(t.apps, (app) =>
    post(app, '/api/v1/sign-in/complete', { attempt, callback }),
  );
  expect(countsOf(answers)).toEqual({ 200: 1, 401: PRESSES - 1 });
  const made = answers.find(({ status }) => status === 200);
  const { user_id } = (await made!.json()) as { readonly user_id: string };
  expect(await t.administrator.users.sessions(user_id)).toHaveLength(1);
});

test('OID-C12, OID-23, OID-33 a redirect of an issuer signs a browser in once', async () => {
  await using t = await twoServers();
  const browser = new Browser(async (at, init) => t.apps[0].request(at, init));
  const address = await browser.reach(`${url}/login/openid/staff`, PEOPLE_ISSUER);
  const query = callbackOf(address.href, claims);
  const cookie = ['__Host-agentkeep_sign_in', 'agentkeep_sign_in']
    .map((name) => `${name}=${browser.cookie(url, name) ?? ''}`)
    .join('; ');
  const answers = await pressed(t.apps, (app) =>
    app.request(`${url}/login/openid/callback?${query}`, { headers: { cookie } }),
  );
  const sessions = answers.filter(({ headers }) =>
    headers.getSetCookie().some((each) => /session=(?!;)/.test(each)),
  );
  expect(sessions).toHaveLength(1);
  expect(answers.filter(({ status }) => status >= 400)).toHaveLength(PRESSES - 1);
});

test('OID-C12, OID-29 a logout token ends sessions once', async () => {
  await using t = await twoServers();
  const logout_token = logoutToken(t.clock.now(), { sid: 's1' });
  const answers = await pressed(t.apps, (app) =>
    post(app, '/api/v1/sign-in/logout', { issuer: 'staff', logout_token }),
  );
  expect(countsOf(answers)).toEqual({ 200: 1, 400: PRESSES - 1 });
});

test('KCR-9, KCR-11 a proof of a key is good for one call at one server', async () => {
  await using t = await twoServers();
  const keys = await newKeys();
  const publicKeyOf = (await publicKey(keys)) as { kty: 'OKP'; crv: 'Ed25519'; x: string };
  const spec = {
    ...{ subject_id: 'robot', grants: [{ mission_id: null, ...shared }] },
    capabilities: ['memory_read' as const],
  };
  const { token } = await t.here.admin.credentials.issueForKey(spec, publicKeyOf);
  const path = '/api/v1/identity';
  const change = { htu: url + path };
  const callers = t.apps.map(
    (app) =>
      new KeyCaller(
        (at, init) => app.request(at.replace(/^http:..localhost/, url), init),
        keys,
        token,
      ),
  );
  const [first] = callers;
  const challenge = await first?.send(path, await first.proof('GET', path, change));
  const nonce = challenge?.headers.get('dpop-nonce') ?? '';
  const proof = (await first?.proof('GET', path, { ...change, nonce })) ?? '';
  const answers = await pressed(t.apps, (app) => callers[t.apps.indexOf(app)]?.send(path, proof));
  const told = await Promise.all(
    answers.map(async (answer) => {
      const { error } = (await answer!.json()) as { readonly error?: { readonly code: string } };
      return error?.code ?? 'good';
    }),
  );
  const count = (code: string) => told.filter((each) => each === code).length;
  expect([count('good'), count('unauthorized'), count('use_dpop_nonce')]).toEqual([1, 14, 15]);
});

test('CSL-14 a link of the console opens one session', async () => {
  await using t = await twoServers();
  const link = t.links.issue(root);
  const headers = {
    ...{ origin: url, 'x-agentkeep-console': '1', 'sec-fetch-site': 'same-origin' },
    'content-type': 'application/json',
  };
  const answers = await pressed(t.apps, (app) =>
    app.request(`${url}/console/session`, {
      ...{ method: 'POST', headers, body: JSON.stringify({ link }) },
    }),
  );
  expect(countsOf(answers)).toEqual({ 200: 1, 401: PRESSES - 1 });
});

test('OAU-27, OAU-31 an approval connects a program once, and a token is renewed once', async () => {
  await using t = await twoServers();
  const form = (app: App, fields: Readonly<Record<string, string>>) =>
    app.request(`${url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) });
  const begin = async (): Promise<Readonly<Record<string, string>>> => {
    const { client_id } = await registered(t.here);
    const asked = await began(client_id);
    const code = (await allowed(new FormBrowser(t.apps[0], url), asked)).searchParams.get('code');
    const named = { grant_type: 'authorization_code', client_id, redirect_uri: redirectUri };
    return { ...named, code: code ?? '', code_verifier: asked.verifier };
  };
  const connections = async () => {
    const { agent } = await t.here.keep.logIn({ ...ann, tenantId: 'acme' });
    return (await agent.connections.list()).length;
  };
  const redemption = await begin();
  const first = await pressed(t.apps, (app) => form(app, redemption));
  expect(first.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  // The connection ends where a use comes after the one that was good, as it does here.
  expect((await form(t.apps[1], redemption)).status).toBe(400);
  expect(await connections()).toBe(0);
  const again = await begin();
  const made = await form(t.apps[0], again);
  const { refresh_token = '' } = (await made.json()) as Readonly<Record<string, string>>;
  expect(await connections()).toBe(1);
  const { client_id = '' } = again;
  const renewal = { grant_type: 'refresh_token', client_id, refresh_token };
  const renewals = await pressed(t.apps, (app) => form(app, renewal));
  expect(renewals.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  expect((await form(t.apps[1], renewal)).status).toBe(400);
  expect(await connections()).toBe(0);
});

test('REV-16, REV-18 a proposal is merged once, and decided once', async () => {
  await using t = await twoServers();
  const at = async (app: App, subject: string, capability: 'memory_propose' | 'memory_review') => {
    const { secret } = await t.here.admin.credentials.issue({
      ...{ subject_id: subject, grants: [{ mission_id: null, ...shared }] },
      capabilities: ['memory_read', capability],
    });
    const agentAt = (each: App) =>
      connect({ url, secret, fetch: async (to, init) => each.request(to, init) });
    return { own: agentAt(app), agentAt };
  };
  const { own: helper } = await at(t.apps[0], 'helper', 'memory_propose');
  const rita = await at(t.apps[0], 'rita', 'memory_review');
  const record = { content: { primary: 'Refunds need no approval.' } };
  await helper.proposals.propose(shared, { type: 'create', record });
  const [first] = (await rita.own.proposals.listPage()).items;
  const { digest } = await rita.own.branches.diffPage(first?.id ?? '');
  const merges = await pressed(t.apps, (app) =>
    rita
      .agentAt(app)
      .branches.merge(first?.id ?? '', { digest })
      .then(
        ({ state }) => state,
        (error: unknown) => (error as { readonly code: string }).code,
      ),
  );
  const others = merges.filter((each) => each !== 'merged');
  expect([others.length, new Set(others)]).toEqual([PRESSES - 1, new Set(['branch_closed'])]);
  const { records } = await rita.own.memory.in(shared).queryPage();
  expect(records).toHaveLength(1);
});
