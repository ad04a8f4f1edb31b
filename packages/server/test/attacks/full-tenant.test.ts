/**
 * A tenant that fills the disk (OWASP API4:2023): with a storage quota, it is refused alone, may
 * still read, delete and log in, and writes again once it has deleted
 * (docs/contract/quotas.md#quo-8).
 */
import { createAdmin } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { startServer } from '../../src/lifecycle/start-server.js';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { type Caller } from '@agentkeep/contract-cases/caller';
import { recordOf, scope } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { PASSWORD, tokens } from '@agentkeep/contract-cases/session-fixture';

const FULL = 409;
const QUOTA_BYTES = 200_000;
/** Twice as many records as the quota has room for. */
const RECORDS = 40;
const CONTENT = 'x'.repeat(10_000);
/** What a full tenant may still add: its refusals, reads and logins in the audit log. */
const SLACK_BYTES = 100_000;
const LOGINS = 5;

/** Sends documents as one caller over real HTTP. */
function sender(url: string, token: string) {
  return async (path: string, document?: object, method = 'POST') => {
    const response = await fetch(`${url}${path}`, {
      method: document === undefined ? 'GET' : method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(document === undefined ? {} : { body: JSON.stringify(document) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
}

const create = (key: number | string, content = CONTENT) => ({
  contract_version: 1,
  idempotency_key: `key-${String(key)}`,
  scope,
  operation: { type: 'create', record: recordOf({ primary: content }) },
});

const remove = (key: number, record_id: unknown) => ({
  contract_version: 1,
  idempotency_key: `delete-${String(key)}`,
  scope,
  operation: { type: 'delete', record_id, expected_revision: 1 },
});

test('QUO-C5 a full tenant is refused alone, and writes again after deleting', async () => {
  await using t = await tenant(drivers[1]!, testStore(), { tokens });
  const server = await startServer(appOf(t.keep, { rateLimitPolicies: [] }), {
    host: '127.0.0.1',
    port: 0,
  });
  try {
    const { url } = server;
    const [agent, foreign, master] = [await t.agent(), await t.foreignAdmin(), await t.master()];
    const spec = { ...agent.credential.spec, subject_id: 'bob' };
    const neighbour: Caller = await foreign.appoint(spec);
    await createAdmin(t.keep, { username: 'ann', password: PASSWORD, tenantId: 'acme' });
    const ours = sender(url, agent.token);
    const theirs = sender(url, neighbour.token);

    result(await master.setQuota('acme', { max_bytes: QUOTA_BYTES }));
    const bytes = async () => result(await master.quotaOf('acme')).use?.bytes ?? 0;
    await eventually(async () => {
      expect(result(await master.quotaOf('acme')).use?.is_complete).toBe(true);
    });

    const ids: unknown[] = [];
    const statuses: number[] = [];
    for (let key = 0; key < RECORDS; key += 1) {
      const { status, body } = await ours('/api/v1/memory/commands', create(key));
      statuses.push(status);
      if (status === 200) ids.push((body['receipt'] as { record_id: string }).record_id);
      const other = await theirs('/api/v1/memory/commands', create(key));
      expect(other.status).toBe(200);
    }
    expect(new Set(statuses)).toEqual(new Set([200, FULL]));
    expect(ids.length).toBeLessThan(RECORDS / 2);
    expect(await bytes()).toBeLessThan(QUOTA_BYTES + SLACK_BYTES);

    // The administrators of the tenant and of the installation still act.
    const login = { username: 'ann', password: PASSWORD, tenant_id: 'acme' };
    for (let count = 0; count < LOGINS; count += 1) {
      expect((await ours('/api/v1/auth/login', login)).status).toBe(200);
    }
    expect((await ours('/api/v1/identity')).status).toBe(200);
    const query = { contract_version: 1, scope, filter: { limit: 10 } };
    expect((await ours('/api/v1/memory/query', query)).status).toBe(200);
    expect(outcome(await master.appoint('acme'))).toBe('201');

    const refused = await ours('/api/v1/memory/commands', create('late'));
    expect(refused).toMatchObject({ status: FULL, body: { error: { code: 'quota_exceeded' } } });
    for (const [key, id] of ids.entries()) {
      expect((await ours('/api/v1/memory/commands', remove(key, id))).status).toBe(200);
    }
    expect((await ours('/api/v1/memory/commands', create('late'))).status).toBe(200);
  } finally {
    await server.stop();
  }
});
