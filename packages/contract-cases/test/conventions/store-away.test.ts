/** What callers see of a store that fails over or has no space left (CON-194, CON-14). */
import { AgentkeepError, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { storeOver } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { appOf, send } from '../harness/http-driver.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;

/** A served keep whose store answers everything with an error while there is one. */
async function served() {
  const store = testStore();
  let away: 'store_unavailable' | 'store_full' | undefined;
  const refuse = (): void => {
    if (away !== undefined) throw new AgentkeepError(away);
  };
  const watched = storeOver(store, {
    read: async (body) => {
      if (away === 'store_unavailable') refuse();
      return store.read(body);
    },
    transact: async (body) => {
      refuse();
      return store.transact(body);
    },
  });
  const keep = await openKeep({ store: watched });
  const { secret } = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const app = appOf(keep);
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  return {
    app,
    keep,
    secret,
    headers,
    fail: (code: typeof away) => (away = code),
    [Symbol.asyncDispose]: () => {
      away = undefined;
      return keep.close();
    },
  };
}

test('CON-194, CON-14 a store that is away is 503 on every surface, and says when to retry', async () => {
  await using t = await served();
  t.fail('store_unavailable');
  for (const [method, path, isFlat] of [
    ['GET', '/api/v1/identity', false],
    ['GET', '/api/v1/keys', true],
  ] as const) {
    const answer = await send(t.app, method, path, { headers: t.headers });
    expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '1']);
    const { error } = answer.body as { readonly error: unknown };
    expect(isFlat ? error : (error as { readonly code: string }).code).toBe('store_unavailable');
  }
  expect((await send(t.app, 'GET', '/health')).status).toBe(200);
  t.fail(undefined);
  const path = '/api/v1/identity';
  expect((await send(t.app, 'GET', path, { headers: t.headers })).status).toBe(200);
});

test('CON-194 a store without space refuses a write and answers a read', async () => {
  await using t = await served();
  t.fail('store_full');
  const issue = await send(t.app, 'POST', '/api/v1/credentials', {
    headers: t.headers,
    body: JSON.stringify({
      contract_version: 1,
      spec: { subject_id: 'ann', capabilities: ['memory_read'], grants: [scope] },
    }),
  });
  expect([issue.status, issue.headers.get('retry-after')]).toEqual([503, '1']);
  expect(issue.body).toMatchObject({ error: { code: 'store_full' } });
  const path = '/api/v1/identity';
  expect((await send(t.app, 'GET', path, { headers: t.headers })).status).toBe(200);
});
