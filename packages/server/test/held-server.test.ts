/** Tests cannot get a server whose answers the document lacks, wherever they import it from. */
import { createServer as ofPackage } from '@agentkeep/server';
import { inMemoryStore, openKeep } from '@agentkeep/core';
import { holding } from '@agentkeep/testkit/held-answers';
import { expect, test } from 'vitest';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { createServer as ofFile } from '../src/http/create-server.js';
import { createServer as ofEntry } from '../src/index.js';
import { createServer } from './held-server.js';

test('each import of the server leads to the one whose answers are held', () => {
  for (const imported of [ofPackage, ofFile, ofEntry]) expect(imported).toBe(createServer);
});

test('answers that the document describes pass, also parts of a stream', async () => {
  await using keep = await openKeep({ store: inMemoryStore() });
  const app = appOf(keep);
  expect((await app.request('/health')).status).toBe(200);
  expect((await app.fetch(new Request('http://localhost/health'))).status).toBe(200);
  expect((await app.request('/api/v1/identity')).status).toBe(401);
});

test.each([
  ['a status', Response.json({}, { status: 418 })],
  ['a body', Response.json({ no: 'health' })],
  ['a content type', new Response('ok', { headers: { 'content-type': 'text/event-stream' } })],
  ['headers', Response.json({ contract_version: 1 })],
])('an answer fails with %s that the document lacks', async (_what, answer) => {
  const send = holding(() => answer, { isOurs: true });
  await expect(send('/health')).rejects.toThrow(/GET \/health/);
});
