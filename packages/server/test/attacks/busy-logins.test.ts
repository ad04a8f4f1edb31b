/**
 * One tenant's administrator who sets passwords as fast as the server takes them: logins elsewhere,
 * and in the same tenant, go on (docs/contract/users.md#usr-41).
 */
import { openKeep } from '@agentkeep/core';
import { bootstrapTenant, createAdmin } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { startServer } from '../../src/lifecycle/start-server.js';
import { appOf } from '@agentkeep/contract-cases/http-driver';
import { OTHER_PASSWORD, PASSWORD } from '@agentkeep/contract-cases/user-fixture';
import { tokens } from '@agentkeep/contract-cases/session-fixture';

const ATTACKS = 160;
const TENANTS = ['acme', 'beta', 'gamma', 'delta'];

test('160 password changes of one tenant fail no login', async () => {
  // The real hashing and its real bounds.
  await using keep = await openKeep({ store: testStore(), tokens });
  for (const tenantId of TENANTS) {
    await bootstrapTenant(keep, { tenantId, subjectId: 'ops' });
    await createAdmin(keep, { username: 'chief', password: PASSWORD, tenantId });
  }
  const server = await startServer(appOf(keep), { host: '127.0.0.1', port: 0 });
  const send = async (
    method: string,
    path: string,
    document: object,
    token = '',
  ): Promise<Response> =>
    fetch(`http://127.0.0.1:${String(server.port)}${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(document),
    });
  const logIn = (tenant_id: string) =>
    send('POST', '/api/v1/auth/login', { username: 'chief', password: PASSWORD, tenant_id });
  const { access_token: token } = (await (await logIn('acme')).json()) as { access_token: string };
  const made = await send('POST', '/api/v1/users', { username: 'ann', password: PASSWORD }, token);
  const { id } = (await made.json()) as { id: string };
  const path = `/api/v1/users/${id}/password`;
  const attacks = Array.from({ length: ATTACKS }, () =>
    send('PUT', path, { new_password: OTHER_PASSWORD }, token),
  );
  // The queue is full as soon as one of them is refused.
  await Promise.any(attacks.map(refusal));
  const logins = await Promise.all([...TENANTS, ...TENANTS].map(logIn));
  expect(logins.map(({ status }) => status)).toEqual(logins.map(() => 200));
  for (const { status, headers } of await Promise.all(attacks)) {
    expect([200, 503]).toContain(status);
    expect(headers.get('retry-after')).toBe(status === 503 ? '1' : null);
  }
  await server.stop();
});

/** Resolves once an answer is a refusal. */
async function refusal(answer: Promise<Response>): Promise<void> {
  const { status } = await answer;
  if (status !== 503) throw new Error(`The answer is ${String(status)}.`);
}
