/**
 * Answers have a budget: pages end at about 4 MiB, and answers that nobody reads take no more
 * memory than their share.
 */
import { setImmediate } from 'node:timers/promises';
import { inMemoryStore, type QueryPage } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { eventually } from '@agentkeep/testkit/eventually';
import { expect, test } from 'vitest';
import { result } from '@agentkeep/contract-cases/answer';
import { createAll } from '@agentkeep/contract-cases/caller';
import { recordOf, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { bothWays, tenant } from '@agentkeep/contract-cases/fixture';
import { opened, rawServer, requestOf } from './raw-server.js';

const PAGE_BYTES = 4_194_304;
/** Records of 62 KB: 80 of them are more than a page holds. */
const LARGE = 80;
const large = Array.from({ length: LARGE }, () => recordOf({ secondary: 'x'.repeat(62_000) }));

bothWays('a page of memory ends at about 4 MiB, and its cursor goes on', async (t) => {
  const agent = await t.agent();
  const created = await createAll(agent, large);
  const found: string[] = [];
  let scanned = 0;
  let pages = 0;
  let after: string | null = null;
  do {
    const page: QueryPage = result(await agent.query(scope, { limit: 1_000, after })).page;
    expect(JSON.stringify(page).length).toBeLessThanOrEqual(PAGE_BYTES + 1_000);
    found.push(...page.records.map(({ record_id }) => record_id));
    scanned += page.scanned_records;
    after = page.next_after;
    pages += 1;
  } while (after !== null);
  expect(found).toEqual(created);
  expect(scanned).toBe(LARGE);
  expect(pages).toBe(2);
});

test('answers that are not read are bounded, and others are served meanwhile', async () => {
  await using at = await rawServer();
  const agent = await at.t.agent();
  await createAll(agent, large);
  const foreign = await at.t.foreignAdmin();
  const bearer = (token: string): string => `Authorization: Bearer ${token}\n`;
  const document = { contract_version: 1, scope, filter: { limit: 1_000 } };
  const body = JSON.stringify(document);
  const type = `Content-Type: application/json\nContent-Length: ${String(body.length)}\n`;
  const query = requestOf('POST /api/v1/memory/query', `${bearer(agent.token)}${type}`, body);
  const ask = (path: string, token: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${at.server.url}${path}`, {
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    });
  const deaf = await Promise.all(Array.from({ length: 40 }, () => opened(at.server)));
  for (const socket of deaf) socket.pause().write(query);

  const queried = async (status: number): Promise<Response> => {
    const answer = await ask('/api/v1/memory/query', agent.token, { method: 'POST', body });
    const text = await answer.text();
    expect(answer.status).toBe(status);
    return new Response(text, answer);
  };
  const refused = await eventually(() => queried(503));
  expect(refused.headers.get('retry-after')).toBe('1');
  // CON-170, LOA-5
  expect(await refused.json()).toMatchObject({ error: { code: 'service_busy' } });
  // Small calls and other tenants are not affected.
  const small = await ask('/api/v1/identity', agent.token);
  const others = await ask('/api/v1/credentials?contract_version=1', foreign.token);
  for (const socket of deaf) socket.destroy();
  expect([small.status, others.status]).toEqual([200, 200]);
  await eventually(() => queried(200));
});

test('parallel scans of one agent take one turn of the event loop for each slice', async () => {
  let reads = 0;
  const inner = inMemoryStore();
  const store = storeOver(inner, {
    read: (body) => {
      reads += 1;
      return inner.read(body);
    },
  });
  await using t = await tenant(drivers[0]!, store);
  const agent = await t.agent();
  // Each of these fills a slice, by its bytes.
  await createAll(agent, large.slice(0, 40));
  const scans = Promise.all(
    Array.from({ length: 16 }, () => agent.query(scope, { text_contains: 'nowhere' })),
  );
  const state = { isOver: false };
  void scans.finally(() => (state.isOver = true));
  // All have begun after two turns.
  await setImmediate();
  await setImmediate();
  let most = 0;
  while (!state.isOver) {
    reads = 0;
    await setImmediate();
    most = Math.max(most, reads);
  }
  await scans;
  expect(most).toBe(1);
});
