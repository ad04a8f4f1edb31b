/**
 * Audit events of API keys (docs/contract/audit.md#aud-37): of createApiKey, deleteApiKey, and of
 * every call made with a key.
 */
import type { AuditEvent, CreatedApiKey } from '@agentkeep/core';
import { AgentkeepError } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { storeOver } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { outcome, refused } from '../harness/answer.js';
import { type AuditFixture, auditFixture } from './audit-fixture.js';
import { appOf, send } from '../harness/http-driver.js';
import { PASSWORD } from '../sessions/session-fixture.js';

const KEYS = '/api/v1/keys';

/** Makes an account of the tenant and logs it in; returns its id and headers. */
async function logIn(t: AuditFixture, username = 'ann') {
  const account = { username, password: PASSWORD, tenantId: 'acme', role: 'Admin' } as const;
  const { id } = await createAdmin(t.keep, { ...account, credentialId: t.adminId });
  const document = { username, password: PASSWORD, tenant_id: 'acme' };
  const { body } = await t.send('POST', '/api/v1/auth/login', {}, document);
  const { access_token } = body as { access_token: string };
  return { id, headers: { Authorization: `Bearer ${access_token}` } };
}

/** Creates a key. */
async function makeKey(t: AuditFixture, headers: Record<string, string>, members = {}) {
  const { body } = await t.send('POST', KEYS, headers, { name: 'ci', ...members });
  return body as CreatedApiKey;
}

const metadataOf = (events: readonly AuditEvent[]): unknown[] =>
  events.map(({ metadata: { request_id: _, ...rest } }) => rest);

test('AUD-37, AUD-38 creating and deleting a key are events of its owner', async () => {
  await using t = await auditFixture();
  const ann = await logIn(t);
  const { id } = await makeKey(t, ann.headers);
  await t.send('DELETE', `${KEYS}/${id}`, ann.headers);
  for (const type of ['api_key_created', 'api_key_revoked']) {
    expect(await t.events(`event_type=${type}`)).toEqual([
      expect.objectContaining({
        event_type: type,
        user_id: ann.id,
        username: 'ann',
        action: type,
        resource: `api_key:${id}`,
        result: 'success',
        metadata: { key_id: id, principal: 'account', request_id: expect.any(String) as string },
        tenant_id: 'acme',
      }),
    ]);
  }
});

test('a deletion that finds nothing and a refused creation record no change', async () => {
  await using t = await auditFixture();
  const ann = await logIn(t);
  const { id, key } = await makeKey(t, ann.headers);
  const bob = await logIn(t, 'bob');
  await t.send('DELETE', `${KEYS}/${id}`, bob.headers);
  await t.send('POST', KEYS, ann.headers, { name: '' });
  const sending = { headers: { 'X-API-Key': key }, body: '{}' };
  const reply = await send(appOf(t.keep), 'POST', KEYS, sending);
  expect(outcome(reply)).toBe(refused.forbidden);
  expect(await t.events('event_type=api_key_created')).toHaveLength(1);
  expect(await t.events('event_type=api_key_revoked')).toEqual([]);
  const denied = await t.events('event_type=permission_denied');
  expect(metadataOf(denied)).toEqual([{ required: 'self', principal: 'account' }]);
});

describe('a call with a key', () => {
  test('AUD-39 is a use of the key, whatever the result', async () => {
    await using t = await auditFixture();
    const ann = await logIn(t);
    const { id, key } = await makeKey(t, ann.headers);
    const shown = { 'X-API-Key': key };
    expect((await t.sendBare(KEYS, shown)).status).toBe(200);
    expect((await t.sendBare('/api/v1/identity', shown)).status).toBe(200);
    expect((await t.sendBare(`${KEYS}?x=1`, shown)).status).toBe(400);
    const used = await t.events('event_type=api_key_used');
    const use = { key_id: id, principal: 'account' };
    expect(metadataOf(used)).toEqual([{ ...use, count: 2 }, use]);
    expect(used[0]).toMatchObject({
      user_id: ann.id,
      username: 'ann',
      action: 'api_key_used',
      resource: 'authentication',
      result: 'success',
      tenant_id: 'acme',
    });
  });

  test('AUD-40 is a refusal that names a stored key', async () => {
    await using t = await auditFixture();
    const ann = await logIn(t);
    const ended = await makeKey(t, ann.headers, { expires_in_days: 1 });
    const deleted = await makeKey(t, ann.headers);
    await t.send('DELETE', `${KEYS}/${deleted.id}`, ann.headers);
    t.clock.advance(86_400_000);
    for (const key of ['ak_live_x', deleted.key, ended.key]) {
      t.clock.advance(60_000);
      expect((await t.sendBare(KEYS, { 'X-API-Key': key })).status).toBe(401);
    }
    t.clock.advance(60_000);
    const held = t.keep.authenticate(ended.key);
    await expect(held).rejects.toThrow(new AgentkeepError('unauthorized'));
    const failed = await t.allEvents({ event_type: 'api_key_validation_failed' });
    expect(metadataOf(failed)).toEqual([{ key_id: ended.id }, { key_id: ended.id }, {}, {}]);
    expect(failed[1]).toMatchObject({
      user_id: null,
      username: 'unknown',
      action: 'api_key_validation_failed',
      resource: 'authentication',
      result: 'unauthorized',
      tenant_id: null,
    });
  });

  test("is a refusal of that key, when an agent's key has ended", async () => {
    await using t = await auditFixture();
    const ann = await logIn(t);
    const { id, key } = await makeKey(t, ann.headers);
    const agent = await t.keep.authenticate(key);
    await t.send('DELETE', `${KEYS}/${id}`, ann.headers);
    await expect(agent.keys.listPage()).rejects.toThrow(new AgentkeepError('unauthorized'));
    const failed = await t.allEvents({ event_type: 'api_key_validation_failed' });
    expect(metadataOf(failed)).toEqual([{ key_id: id }]);
    expect(await t.allEvents({ event_type: 'token_refresh_failed' })).toEqual([]);
  });

  test('is a refusal of both proofs, beside another proof', async () => {
    await using t = await auditFixture();
    const ann = await logIn(t);
    const { key } = await makeKey(t, ann.headers);
    const both = { ...ann.headers, 'X-API-Key': key };
    expect((await t.sendBare(KEYS, both)).status).toBe(401);
    const failed = await t.allEvents({ result: 'unauthorized' });
    expect(failed.map(({ event_type }) => event_type).sort()).toEqual([
      'api_key_validation_failed',
      'token_refresh_failed',
    ]);
    expect(await t.events('event_type=api_key_used')).toEqual([]);
  });
});

test('AUD-C53 no event contains a key or more of it than its id', async () => {
  await using t = await auditFixture({ reads: true });
  const ann = await logIn(t);
  const { id, key } = await makeKey(t, ann.headers, { name: 'a\u2028b' });
  await t.sendBare(KEYS, { 'X-API-Key': key });
  await t.sendBare(KEYS, { 'X-API-Key': `${key.slice(0, -1)}-`, 'User-Agent': `curl ${key}` });
  await t.send('DELETE', `${KEYS}/${id}`, ann.headers);
  await t.sendBare(`${KEYS}/${key}`, { 'X-API-Key': key });
  const text = JSON.stringify(await t.allEvents());
  expect(text).toContain(id);
  expect(text).not.toContain(key.slice(8));
  expect(text).not.toContain(key.slice(8, 20));
});

test('AUD-C56 a key is neither created nor deleted when its event cannot be stored', async () => {
  const inner = testStore();
  let isFailing = false;
  const store = storeOver(inner, {
    transact: (body) =>
      inner.transact((tx) => {
        const result = body(tx);
        if (isFailing) throw new AgentkeepError('store_full');
        return result;
      }),
  });
  await using t = await auditFixture({}, { store });
  const ann = await logIn(t);
  const kept = await makeKey(t, ann.headers);
  isFailing = true;
  const made = await t.send('POST', KEYS, ann.headers, { name: 'lost' });
  const gone = await t.send('DELETE', `${KEYS}/${kept.id}`, ann.headers);
  // A list is still answered when its event cannot be stored.
  const listed = await t.sendBare(KEYS, { 'X-API-Key': kept.key });
  isFailing = false;
  expect([made.status, gone.status, listed.status]).toEqual([503, 503, 200]);
  const { body } = await t.sendBare(KEYS, { 'X-API-Key': kept.key });
  expect(body).toMatchObject({ keys: [{ id: kept.id }] });
});
