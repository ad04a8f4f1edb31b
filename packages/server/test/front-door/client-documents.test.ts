/** Programs that name themselves by the address of their metadata. */
import type { KeepPorts } from '@agentkeep/core';
import { connect } from '@agentkeep/client';
import { expect, test } from 'vitest';
import { httpDocumentFetcher } from '../../src/index.js';
import { allowed, ann, began, redeemed, redirectUri, servedDoor, url } from './served-door.js';

const clientId = 'https://notes.example/client.json';
const usual = { client_id: clientId, client_name: 'Notes', redirect_uris: [redirectUri] };

/** Serves one text at every address. */
function fetcherOf(text: () => string): NonNullable<KeepPorts['documentFetcher']> {
  return { fetch: () => Promise.resolve({ kind: 'fetched', body: text() }) };
}

test('OAU-C12, OAU-28 a program with a document connects without a registration', async () => {
  const documentFetcher = fetcherOf(() => JSON.stringify(usual));
  const door = { publicUrl: url, documentFetcher };
  await using here = await servedDoor({}, { frontDoor: door });
  const asked = await began(clientId);
  const answer = await allowed(here.browser, asked);
  const tokens = await redeemed(here, { client_id: clientId }, asked, answer);
  const agent = connect({ url, secret: tokens.access_token, fetch: here.fetch });
  expect(await agent.whoAmI()).toMatchObject({
    program: { client_id: clientId, client_name: 'Notes', client_host: 'notes.example' },
  });
});

test('OAU-C12, OAU-28 other documents are refused', async () => {
  let document: object | string = usual;
  const text = () => (typeof document === 'string' ? document : JSON.stringify(document));
  const door = { publicUrl: url, documentFetcher: fetcherOf(text) };
  await using here = await servedDoor({}, { frontDoor: door });
  const login = await here.browser.page('/login');
  await here.browser.send(login, '/login', { ...ann, tenant: 'acme' });
  const wrong = [
    { ...usual, client_id: 'https://notes.example/other.json' },
    { ...usual, client_secret: 'x' },
    { ...usual, token_endpoint_auth_method: 'client_secret_basic' },
    { ...usual, token_endpoint_auth_method: 'private_key_jwt' },
    { ...usual, redirect_uris: ['http://notes.example/callback'] },
    { ...usual, redirect_uris: [] },
    { client_id: clientId },
    'no JSON',
    '[]',
  ];
  const statuses: unknown[] = [];
  for (const [index, each] of wrong.entries()) {
    document = each;
    const id = `${clientId}?${index}`;
    if (typeof each === 'object' && 'client_id' in each && each.client_id === clientId) {
      document = { ...each, client_id: id };
    }
    statuses.push((await here.browser.page((await began(id)).address)).status);
  }
  expect(statuses).toEqual(wrong.map(() => 400));
});

test('OAU-28 private addresses are not fetched, and without a fetcher nothing is', async () => {
  for (const documentFetcher of [httpDocumentFetcher(), undefined]) {
    const door = { publicUrl: url, ...(documentFetcher === undefined ? {} : { documentFetcher }) };
    await using here = await servedDoor({}, { frontDoor: door });
    const login = await here.browser.page('/login');
    await here.browser.send(login, '/login', { ...ann, tenant: 'acme' });
    const { address } = await began('https://127.0.0.1/client.json');
    expect((await here.browser.page(address)).status).toBe(400);
  }
});
