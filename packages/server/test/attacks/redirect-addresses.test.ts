/** Programs whose redirect address names a host that is not theirs. */
import { connect } from '@agentkeep/client';
import { expect, test } from 'vitest';
import {
  allowed,
  ann,
  began,
  discovered,
  redirectUri,
  type Served,
  servedDoor,
  url,
} from '../front-door/served-door.js';
import { type FormBrowser, shown } from '@agentkeep/testkit/form-browser';
import * as oauth from 'oauth4webapi';

const IS_NONE = [
  ...['web+evil://claude.ai/cb', 'ws://claude.ai/cb', 'wss://claude.ai/cb', 'ftp://claude.ai/cb'],
  ...['mailto:a@claude.ai', 'tel:1', 'sms:1', 'intent://claude.ai/#Intent;end', 'about:blank'],
  ...['view-source:https://claude.ai/', 'filesystem:https://claude.ai/t', 'data:text/html,x'],
  ...['chrome-extension://claude.ai/cb', 'blob:https://claude.ai/x', 'javascript:alert(1)'],
  ...['claude:/cb', 'vscode://claude.ai/cb', 'urn:ietf:wg:oauth:2.0:oob', 'file:///etc/passwd'],
  ...['http://claude.ai/cb', 'http://127.0.0.1.claude.ai/cb', 'http://10.0.0.1/cb'],
  ...['https://claude.ai@evil.example/cb', 'https://claude.ai:x@evil.example/cb'],
  ...['https:\\\\claude.ai\\cb', 'https://claude.ai/\tcb', ' https://claude.ai/cb', '//claude.ai'],
  ...[
    'com.example.app://a@claude.ai/cb',
    `com.example.app:/${'x'.repeat(300)}`,
    '.com:/cb',
    'a.:/',
  ],
];

/** The id of a program that registered, as anybody can make it. */
function idOf(address: string): string {
  return `akp1.${Buffer.from(JSON.stringify({ redirect_uris: [address] })).toString('base64url')}`;
}

async function logIn(browser: FormBrowser): Promise<void> {
  await browser.send(await browser.page('/login'), '/login', { ...ann, tenant: 'acme' });
}

async function registration({ fetch }: Served, address: string) {
  const body = JSON.stringify({ client_name: 'Claude', redirect_uris: [redirectUri, address] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/oauth/register`, { method: 'POST', headers, body });
  return { status: response.status, answer: (await response.json()) as Record<string, unknown> };
}

test('OAU-29 addresses that are no redirect addresses are refused in each kind of metadata', async () => {
  let address = redirectUri;
  const documentFetcher = {
    fetch: ({ url: client_id }: { readonly url: string }) => {
      const body = JSON.stringify({ client_id, redirect_uris: [address] });
      return Promise.resolve({ kind: 'fetched' as const, body });
    },
  };
  const frontDoor = { publicUrl: url, clientRegistration: true, documentFetcher };
  await using here = await servedDoor({}, { frontDoor });
  await logIn(here.browser);
  const statusOf = async (clientId: string): Promise<number> => {
    const asked = await began(clientId, { redirect_uri: address });
    return (await here.browser.page(asked.address)).status;
  };
  const wrong: unknown[] = [];
  for (const [index, each] of IS_NONE.entries()) {
    address = each;
    const { status, answer } = await registration(here, each);
    const statuses = [
      ...[status, await statusOf(idOf(each))],
      await statusOf(`https://notes.example/${index}.json`),
    ];
    const isRefused = answer['error'] === 'invalid_redirect_uri';
    if (!isRefused || statuses.some((it) => it !== 400)) wrong.push([each, statuses, answer]);
  }
  expect(wrong).toEqual([]);
});

test.each([
  ['com.example.app://claude.ai/cb', 'com.example.app://claude.ai/cb'],
  ['com.example.app:/cb', 'com.example.app:/cb'],
  ['http://127.0.0.1/cb', '127.0.0.1:4312'],
  ['https://notes.example/cb', 'notes.example'],
])('OAU-8, OAU-33 answers to %s are shown to go to %s everywhere', async (address, seen) => {
  await using here = await servedDoor();
  const client = (await registration(here, address)).answer as unknown as oauth.Client;
  const asked = address.startsWith('http:') ? 'http://127.0.0.1:4312/cb' : address;
  const began_ = await began(client.client_id, { redirect_uri: asked });
  await logIn(here.browser);
  const page = shown(await here.browser.open(began_.address));
  expect(page.text).toContain(`>${seen}<`);
  const answer = await allowed(here.browser, began_);
  const as = await discovered(here);
  const params = oauth.validateAuthResponse(as, client, answer, began_.state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([as, client, oauth.None(), params, asked, began_.verifier] as const),
    { [oauth.customFetch]: here.fetch },
  );
  const tokens = await oauth.processAuthorizationCodeResponse(as, client, response);
  const agent = connect({ url, secret: tokens.access_token, fetch: here.fetch });
  const who = await agent.whoAmI();
  expect(who).toMatchObject({
    acting_service: { subject_id: seen },
    program: { client_host: seen },
  });
  expect((await here.browser.page('/account')).text).toContain(`>${seen}<`);
});
