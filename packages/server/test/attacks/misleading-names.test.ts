/** Names that strangers choose to look like others, or to change what stands beside them. */
import { connect } from '@agentkeep/client';
import { expect, test } from 'vitest';
import { type FormBrowser, shown } from '@agentkeep/testkit/form-browser';
import {
  allowed,
  ann,
  began,
  own,
  redeemed,
  redirectUri,
  type Served,
  servedDoor,
  url,
} from '../front-door/served-door.js';

const UNSEEN = /[\p{C}\p{Default_Ignorable_Code_Point}]/u;

/** Names of programs that deceive, and what counts of them. */
const NAMES = [
  ['\u202eedualC', 'edualC'],
  ['Claude\u2069\u2069\u202e', 'Claude'],
  ['Cl\u200baude\u00ad\u2060', 'Claude'],
  ['\u2066Claude\u{e0041}\ufe0f', 'Claude'],
  ['Claude\r\n\tDesktop\u2028app', 'Claude Desktop app'],
  ['  Claude \u200b  Desktop\u00a0 ', 'Claude Desktop'],
] as const;

/** Names of which nothing counts. */
const NO_NAMES = ['', ' \u200b\u202e', '\u3164\u115f', '\u2800'];

async function logIn(browser: FormBrowser): Promise<void> {
  await browser.send(await browser.page('/login'), '/login', { ...ann, tenant: 'acme' });
}

async function registration({ fetch }: Served, client_name: unknown) {
  const body = JSON.stringify({ client_name, redirect_uris: [redirectUri] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

/** The id of a program that registered, as anybody can make it. */
function idOf(client_name: string): string {
  const metadata = JSON.stringify({ client_name, redirect_uris: [redirectUri] });
  return `akp1.${Buffer.from(metadata).toString('base64url')}`;
}

/** Connects a program; returns its name on each page, in lists and for itself. */
async function namesSeen(here: Served, clientId: string): Promise<unknown[]> {
  const asked = await began(clientId);
  const consent = shown(await here.browser.open(asked.address));
  expect(consent.text).not.toMatch(UNSEEN_ON_PAGES);
  const answer = await allowed(here.browser, asked);
  const client = { client_id: clientId, token_endpoint_auth_method: 'none' };
  const tokens = await redeemed(here, client, asked, answer);
  const account = await here.browser.page('/account');
  expect(account.text).not.toMatch(UNSEEN_ON_PAGES);
  const { agent } = await here.keep.logIn({ ...ann, tenantId: 'acme' });
  const [connection] = await agent.connections.list();
  const who = await connect({ url, secret: tokens.access_token, fetch: here.fetch }).whoAmI();
  for await (const event of here.admin.audit.query()) {
    expect(JSON.stringify(event)).not.toMatch(UNSEEN);
  }
  if (connection === undefined) throw new Error('Nothing is connected.');
  await agent.connections.end(connection.id);
  const nameIn = (text: string): unknown => /<strong><bdi>(.*?)<\/bdi>/.exec(text)?.[1];
  const [, heading] = /<h1>Connect <bdi>(.*?)<\/bdi>\?/.exec(consent.text) ?? [];
  return [
    ...[heading, nameIn(consent.text), nameIn(account.text.replace(/<p>\s*You[\s\S]*?<\/p>/, ''))],
    ...[connection.client_name, who.program?.client_name],
  ];
}

/** Pages have line breaks of their own. */
const UNSEEN_ON_PAGES = /(?!\n)[\p{C}\p{Default_Ignorable_Code_Point}]/u;

test.each(NAMES)('OAU-36 of a deceptive name what is seen counts (%#)', async (stated, seen) => {
  const documentFetcher = {
    fetch: ({ url: client_id }: { readonly url: string }) => {
      const body = JSON.stringify({ client_id, client_name: stated, redirect_uris: [redirectUri] });
      return Promise.resolve({ kind: 'fetched' as const, body });
    },
  };
  const frontDoor = { publicUrl: url, clientRegistration: true, documentFetcher };
  await using here = await servedDoor({}, { frontDoor });
  await logIn(here.browser);
  const { status, answer } = await registration(here, stated);
  expect([status, answer['client_name']]).toEqual([201, seen]);
  const ids = [String(answer['client_id']), idOf(stated), 'https://notes.example/notes.json'];
  for (const id of ids) expect(await namesSeen(here, id), id).toEqual(Array(5).fill(seen));
});

test('OAU-36 without a name that counts, the address of the answers is shown', async () => {
  await using here = await servedDoor();
  await logIn(here.browser);
  const host = 'notes.example';
  for (const stated of [...NO_NAMES, 'x'.repeat(257), 'é'.repeat(129)]) {
    const seen = await namesSeen(here, idOf(stated));
    expect(seen, stated).toEqual([host, host, host, null, null]);
  }
});

test('OAU-36 a name of 5,000 characters is refused at registration and shown nowhere', async () => {
  const documentFetcher = {
    fetch: ({ url: client_id }: { readonly url: string }) => {
      const client_name = 'x'.repeat(5_000);
      const body = JSON.stringify({ client_id, client_name, redirect_uris: [redirectUri] });
      return Promise.resolve({ kind: 'fetched' as const, body });
    },
  };
  const frontDoor = { publicUrl: url, clientRegistration: true, documentFetcher };
  await using here = await servedDoor({}, { frontDoor });
  await logIn(here.browser);
  for (const stated of ['x'.repeat(257), 'é'.repeat(129), 'x'.repeat(5_000)]) {
    const { status, answer } = await registration(here, stated);
    expect([status, answer['error']]).toEqual([400, 'invalid_client_metadata']);
  }
  const longest = await registration(here, 'é'.repeat(128));
  expect([longest.status, longest.answer['client_name']]).toEqual([201, 'é'.repeat(128)]);
  const seen = await namesSeen(here, 'https://notes.example/notes.json');
  expect(seen).toEqual([...Array<string>(3).fill('notes.example'), null, null]);
});

test('OAU-36 a session approves no name with anything unseen', async () => {
  await using here = await servedDoor();
  const json = { 'content-type': 'application/json' };
  const posted = async (path: string, document: object, headers: object = {}) => {
    const init = {
      method: 'POST',
      headers: { ...json, ...headers },
      body: JSON.stringify(document),
    };
    const response = await here.fetch(url + path, init);
    return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
  };
  const session = await posted('/api/v1/auth/login', { ...ann, tenant_id: 'acme' });
  const authorization = `Bearer ${String(session.answer['access_token'])}`;
  const approve = (client_name: string) =>
    posted(
      '/api/v1/connections',
      {
        ...{ client_id: 'https://notes.example/notes.json', client_host: 'notes.example' },
        ...{ client_name, access: ['read'], expires_in_days: 7, grants: [own] },
      },
      { authorization },
    );
  for (const name of ['\u202eedualC', 'Claude\u200b', 'Claude\u2069', '\u2800']) {
    const { status, answer } = await approve(name);
    expect(status, name).toBe(400);
    expect(answer, name).toMatchObject({ members: [{ path: 'client_name' }] });
  }
  expect((await approve('Claude')).status).toBe(201);
});

test('OAU-37 names of scopes are isolated on the consent page, and escaped where unseen', async () => {
  await using here = await servedDoor();
  const { credential } = await here.admin.credentials.issue({
    subject_id: 'bob',
    capabilities: ['memory_read', 'memory_write'],
    grants: [
      ...[
        { project_id: '\u202eevil\u2069', mission_id: 'm\u200b', agent_id: '\u2066a' },
        { project_id: 'مشروع', mission_id: null, agent_id: 'a' },
      ].map((each) => ({ ...each, visibility: 'shared' as const })),
    ],
  });
  const bob = { username: 'bob', password: 'Correct-Horse-8' };
  await here.admin.loginAccounts.create({ ...bob, credentialId: credential.id });
  const login = await here.browser.page((await began(idOf('Notes'))).address);
  const { text } = shown(await here.browser.send(login, '/login', { ...bob, tenant: 'acme' }));
  expect(text).not.toMatch(UNSEEN_ON_PAGES);
  expect(text).toContain(
    '<bdi>\\u{202e}evil\\u{2069}</bdi> / <bdi>m\\u{200b}</bdi> / <bdi>\\u{2066}a</bdi>',
  );
  expect(text).toContain('<bdi>مشروع</bdi> / <bdi>a</bdi>');
});

test('USR-54, USR-55 the login page takes each spelling of a name, and nothing unseen', async () => {
  await using here = await servedDoor();
  const target = async (username: string): Promise<unknown[]> => {
    const page = await here.browser.page('/login');
    const sent = { ...ann, username, tenant: 'acme' };
    const answer = shown(await here.browser.send(page, '/login', sent));
    return [answer.status, answer.text.includes('Connected programs')];
  };
  expect(await target('ａｎｎ')).toEqual([200, true]);
  for (const name of ['ann\u200b', '\u202enna', 'ann ']) {
    expect(await target(name)).toEqual([401, false]);
  }
  await expect(
    here.admin.loginAccounts.create({
      ...{ username: 'ａｎｎ', password: ann.password, credentialId: here.credential.id },
    }),
  ).rejects.toMatchObject({ code: 'revision_conflict' });
});
