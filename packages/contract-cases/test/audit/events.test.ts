/**
 * Recorded events and their content (docs/contract/audit.md). The operations are queryAuditLogs and
 * queryAudit.
 */
import type { AuditEvent } from '@agentkeep/core';
import { recordShutdown, recordStartup } from '@agentkeep/core/operator';
import { describe, expect, test } from 'vitest';
import { auditFixture } from './audit-fixture.js';
import { minimalRecord, scope } from '../harness/documents.js';

const agentSpec = {
  subject_id: 'alice',
  capabilities: ['memory_read', 'memory_write'],
  grants: [scope],
  expires_at_millis: null,
};

const command = {
  contract_version: 1,
  idempotency_key: 'key-1',
  scope,
  operation: { type: 'create', record: minimalRecord },
};

const typesOf = (events: readonly AuditEvent[]) => events.map(({ event_type }) => event_type);

describe('changes of credentials', () => {
  // AUD-4, AUD-5, AUD-6, AUD-8, AUD-9, AUD-14, AUD-58
  test('CON-146 are events of their actor, with the kind of the change', async () => {
    await using t = await auditFixture();
    const issued = await t.send(
      'POST',
      '/api/v1/credentials',
      { 'User-Agent': 'curl/8', 'X-Forwarded-For': '192.0.2.7', 'X-Request-Id': 'r-1' },
      { contract_version: 1, spec: agentSpec },
    );
    const { credential } = issued.body as { credential: { id: string } };
    const path = `/api/v1/credentials/${credential.id}`;
    const revision = (expected_revision: number) => ({ contract_version: 1, expected_revision });
    await t.send('POST', `${path}/rotate`, {}, revision(1));
    const authority = { grants: [] };
    await t.send('POST', `${path}/scope-authority`, {}, { ...revision(2), authority });
    await t.send('POST', `${path}/revoke`, {}, revision(3));

    const events = await t.events('event_type=configuration_changed');
    expect(events.map(({ metadata }) => metadata['change'])).toEqual([
      'revoked',
      'scope_authority_changed',
      'rotated',
      'issued',
      'bootstrapped',
    ]);
    expect(events[3]).toEqual({
      event_id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      event_type: 'configuration_changed',
      timestamp: '2030-01-01T00:00:00.000Z',
      transaction_time: '2030-01-01T00:00:00.000Z',
      user_id: t.adminId,
      username: 'ops',
      action: 'configuration_changed',
      resource: `credential:${credential.id}`,
      result: 'success',
      ip_address: '192.0.2.7',
      user_agent: 'curl/8',
      metadata: {
        change: 'issued',
        tenant_id: 'acme',
        principal: 'credential',
        request_id: 'r-1',
      },
      tenant_id: 'acme',
    });
    expect(events[4]).toMatchObject({
      user_id: null,
      username: null,
      ip_address: null,
      user_agent: null,
      metadata: { change: 'bootstrapped', tenant_id: 'acme', principal: 'operator' },
    });
  });

  test('that are refused record no change', async () => {
    await using t = await auditFixture();
    const stale = { contract_version: 1, expected_revision: 9 };
    const reply = await t.send('POST', `/api/v1/credentials/${t.adminId}/rotate`, {}, stale);
    expect(reply.status).toBe(409);
    const events = await t.events('event_type=configuration_changed');
    expect(events.map(({ metadata }) => metadata['change'])).toEqual(['bootstrapped']);
  });
});

describe('permission checks', () => {
  test('AUD-49, AUD-85 that pass are events for writes', async () => {
    await using t = await auditFixture();
    const admin = await t.keep.authenticate(t.secret);
    const agent = await admin.credentials.issue(agentSpec as never);
    const proof = { Authorization: `Bearer ${agent.secret}` };
    await t.send('POST', '/api/v1/memory/commands', proof, command);
    await t.send('POST', '/api/v1/memory/query', proof, { contract_version: 1, scope });
    const granted = await t.events('event_type=access_granted&username=alice');
    expect(granted).toEqual([
      expect.objectContaining({
        action: 'require_permission:memory_write',
        resource: expect.stringMatching(/^record:[\da-f-]{36}$/) as string,
        result: 'success',
        user_id: agent.credential.id,
        metadata: {
          principal: 'credential',
          request_id: expect.any(String) as string,
          record_id: expect.any(String) as string,
          revision: 1,
          change: 'created',
          scope: { mission_id: null, ...scope },
        },
      }),
    ]);
  });

  test('AUD-85 of memory commands name each change', async () => {
    await using t = await auditFixture();
    const admin = await t.keep.authenticate(t.secret);
    const { secret } = await admin.credentials.issue(agentSpec as never);
    const { memory: all } = await t.keep.authenticate(secret);
    const memory = all.in(scope);
    const record = minimalRecord;
    const options = { idempotencyKey: 'once' };
    const { record_id: recordId } = await memory.create(record, options);
    await memory.create(record, options);
    await memory.update({ recordId, expectedRevision: 1 }, record);
    await memory.delete({ recordId, expectedRevision: 2 });
    const { outcomes } = await memory.batch([
      { type: 'put', name: 'n', record },
      { type: 'remove', name: 'n' },
    ]);
    const batched = outcomes[0]?.record_id;
    // SUP-9
    const ended = await memory.create(record);
    const supersedes = [{ record_id: ended.record_id, revision: 1 }];
    const successor = await memory.create({ ...record, supersedes }, { idempotencyKey: 'ends' });
    await memory.create({ ...record, supersedes }, { idempotencyKey: 'ends' });
    const granted = await t.events('event_type=access_granted&username=alice');
    const place = { scope: { mission_id: null, ...scope } };
    const principal = 'credential';
    expect(granted.map(({ metadata }) => metadata).toReversed()).toEqual([
      { principal, record_id: recordId, revision: 1, change: 'created', ...place },
      { principal, record_id: recordId, revision: 1, change: 'created', replay: true, ...place },
      { principal, record_id: recordId, revision: 2, change: 'updated', ...place },
      { principal, record_id: recordId, revision: 3, change: 'deleted', ...place },
      { principal, record_id: batched, revision: 1, change: 'created', ...place },
      { principal, record_id: batched, revision: 2, change: 'deleted', ...place },
      { principal, record_id: ended.record_id, revision: 1, change: 'created', ...place },
      { principal, record_id: ended.record_id, revision: 2, change: 'updated', ...place },
      { principal, record_id: successor.record_id, revision: 1, change: 'created', ...place },
      {
        ...{ principal, record_id: successor.record_id, revision: 1, change: 'created' },
        ...{ replay: true, ...place },
      },
    ]);
  });

  test('AUD-49, AUD-64 that pass are events for reads if the option says so', async () => {
    await using t = await auditFixture({ reads: true });
    await t.send('GET', '/api/v1/identity');
    const granted = await t.events('event_type=access_granted');
    expect(granted.map(({ action }) => action)).toContain('require_permission:authority');
    const again = await t.events('action=require_permission:admin');
    expect(again[0]).toMatchObject({ resource: '/api/v1/audit-logs', result: 'success' });
  });

  test.each([
    ['a capability', '/api/v1/credentials?contract_version=1', 'credential_admin'],
    ['a role', '/api/v1/audit-logs', 'admin'],
    [
      'a scope',
      '/api/v1/memory/records/01934f2a-7c1b-7000-8000-1234567890ab?contract_version=1' +
        '&project_id=elsewhere&agent_id=b&visibility=shared',
      'scope',
    ],
  ])(
    'AUD-7, AUD-48, AUD-60 that fail name the missing right: %s',
    async (_what, target, required) => {
      await using t = await auditFixture();
      const admin = await t.keep.authenticate(t.secret);
      const agent = await admin.credentials.issue(agentSpec as never);
      const reply = await t.send('GET', target, { Authorization: `Bearer ${agent.secret}` });
      expect(reply.status).toBe(403);
      expect(await t.events('event_type=permission_denied')).toEqual([
        expect.objectContaining({
          action: `require_permission:${required}`,
          resource: target.split('?')[0],
          result: 'forbidden',
          username: 'alice',
          metadata: expect.objectContaining({ required, principal: 'credential' }) as object,
        }),
      ]);
    },
  );
});

describe('refused proofs', () => {
  const unknown = { user_id: null, username: 'unknown', tenant_id: null, result: 'unauthorized' };

  test('AUD-7, AUD-10, AUD-34, AUD-40 are events without an actor', async () => {
    await using t = await auditFixture();
    await t.sendBare('/api/v1/identity', { Authorization: `Bearer ak1_${'0'.repeat(32)}` });
    await t.sendBare('/api/v1/identity', { 'X-API-Key': 'ak_live_wrong' });
    const events = await t.allEvents({ result: 'unauthorized' });
    expect(events).toEqual([
      expect.objectContaining({
        ...unknown,
        event_type: 'api_key_validation_failed',
        action: 'api_key_validation_failed',
        resource: 'authentication',
        metadata: { request_id: expect.any(String) as string },
      }),
      expect.objectContaining({
        ...unknown,
        event_type: 'token_refresh_failed',
        action: 'token_refresh_failed',
        resource: 'authentication',
        metadata: { endpoint: '/api/v1/identity', request_id: expect.any(String) as string },
      }),
    ]);
    expect(typesOf(await t.events())).toEqual(['configuration_changed']);
  });

  test('AUD-61 are recorded when two are sent or one is malformed, but not when none is sent', async () => {
    await using t = await auditFixture();
    const bearer = { Authorization: `Bearer ${t.secret}` };
    await t.sendBare('/api/v1/identity', { ...bearer, 'X-API-Key': 'ak_live_x' });
    await t.sendBare('/api/v1/identity', { Authorization: 'Bearer a b' });
    await t.sendBare('/api/v1/identity', {});
    expect(typesOf(await t.allEvents({ result: 'unauthorized' })).toSorted()).toEqual([
      'api_key_validation_failed',
      'token_refresh_failed',
      'token_refresh_failed',
    ]);
  });

  test('DLG-25 are recorded while the subject of the proof is blocked', async () => {
    await using t = await auditFixture();
    const spec = { subject_id: 'bob', capabilities: ['memory_read'], grants: [] };
    const version = { contract_version: 1 };
    const issued = await t.send('POST', '/api/v1/credentials', {}, { ...version, spec });
    const { secret } = issued.body as { secret: string };
    const block = { ...version, expected_revision: 0, is_blocked: true };
    expect((await t.send('PUT', '/api/v1/subjects/bob', {}, block)).status).toBe(200);
    const refused = await t.sendBare('/api/v1/identity', { Authorization: `Bearer ${secret}` });
    expect(refused.status).toBe(403);
    expect(typesOf(await t.allEvents({ result: 'unauthorized' }))).toEqual([
      'token_refresh_failed',
    ]);
  });

  test('are recorded for in-process calls too', async () => {
    await using t = await auditFixture();
    await expect(t.keep.authenticate('wrong')).rejects.toThrow();
    expect(typesOf(await t.allEvents())).toContain('token_refresh_failed');
  });
});

test('AUD-C46 a rate limit refusal is one event, found by its action', async () => {
  const policy = {
    id: 'p',
    name: 'Two',
    endpointType: 'GeneralApi',
    maxRequests: 2,
    windowSecs: 86_400,
    enabled: true,
    createdAtMillis: 1,
    updatedAtMillis: 1,
    createdBy: 'system',
  } as const;
  await using t = await auditFixture({}, { rateLimitPolicies: [policy] });
  await t.send('GET', '/api/v1/identity');
  await t.send('GET', '/nowhere');
  expect((await t.send('GET', '/api/v1/identity')).status).toBe(429);
  t.clock.advance(60_000);
  expect((await t.send('GET', '/nowhere')).status).toBe(429);
  const events = await t.allEvents({ action: 'rate_limit_exceeded' });
  expect(events.map(({ resource }) => resource)).toEqual(['/nowhere', '/api/v1/identity']);
  expect(events[1]).toMatchObject({
    event_type: 'rate_limit_exceeded',
    result: 'forbidden',
    user_id: t.adminId,
    username: 'ops',
    tenant_id: 'acme',
    metadata: { endpoint: '/api/v1/identity', endpoint_type: 'GeneralApi' },
  });
});

test('AUD-55, AUD-56, OPR-67 starts and stops of a server', async () => {
  await using t = await auditFixture();
  t.clock.advance(1);
  await recordStartup(t.keep);
  t.clock.advance(1);
  await recordShutdown(t.keep, 7);
  const [stop, start] = await t.allEvents();
  const system = { resource: 'system', result: 'success', user_id: null, tenant_id: null };
  expect(start).toMatchObject({ ...system, action: 'system_startup' });
  expect(start?.metadata).toEqual({ version: '0.13.0' });
  expect(stop).toMatchObject({ ...system, event_type: 'system_shutdown' });
  expect(stop?.metadata).toEqual({ uptime_seconds: 7 });
});

test('AUD-C53, AUD-15 no event contains a secret, and unusual text is escaped or cut', async () => {
  await using t = await auditFixture({ reads: true });
  const admin = await t.keep.authenticate(t.secret);
  const agent = await admin.credentials.issue(agentSpec as never);
  const wrong = `${agent.secret.slice(0, -4)}AAAA`;
  const jwt = `eyJ${'a'.repeat(40)}.${'b'.repeat(40)}.${'c'.repeat(40)}`;
  const key = `ak_live_${'K'.repeat(38)}`;
  for (const token of [t.secret, agent.secret, wrong, jwt, key]) {
    const odd = { 'User-Agent': `x ${token}`, 'X-Request-Id': `r-${token}`.slice(0, 128) };
    await t.send('GET', '/api/v1/audit-logs', { Authorization: `Bearer ${token}`, ...odd });
    await t.send('GET', `/api/v1/audit-logs`, { 'X-API-Key': token, ...odd });
    await t.send('GET', `/api/v1/credentials/${token}`, {
      Authorization: `Bearer ${agent.secret}`,
      ...odd,
    });
  }
  t.clock.advance(60_000);
  await t.send('GET', '/api/v1/identity', { 'User-Agent': 'u'.repeat(300) });
  await t.send('GET', '/api/v1/credentials/a%0Ab', { Authorization: `Bearer ${agent.secret}` });
  const events = await t.allEvents();
  const text = JSON.stringify(events);
  for (const token of [t.secret, agent.secret, wrong, jwt, key]) {
    expect(text).not.toContain(token.slice(8, 30));
    expect(text).not.toContain(token.slice(-30, -5));
  }
  expect(text).toContain('[redacted]');
  expect(events.map(({ user_agent }) => user_agent)).toContain('u'.repeat(256));
  expect(events.map(({ resource }) => resource)).toContain('/api/v1/credentials/a\\u000ab');
});

test('AUD-68 nothing is recorded when the log is off', async () => {
  await using t = await auditFixture({ enabled: false });
  await t.send('GET', '/api/v1/identity', { Authorization: 'Bearer wrong' });
  const { status, body } = await t.send('GET', '/api/v1/audit');
  expect([status, body]).toEqual([200, { events: [], count: 0, limit: 100, next_cursor: null }]);
});
