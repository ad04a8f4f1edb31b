/**
 * The published contract of the operations, and what logs and audit record of a request
 * (docs/contract/platform.md).
 */
import { routes } from '@agentkeep/client/routes';
import { type AuditPage, openKeep } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { everyName } from '@agentkeep/testkit/operations';
import { testStore } from '@agentkeep/testkit/test-store';
import { contractDocument, type Logger } from '@agentkeep/server';
import { appOf, send } from '../harness/http-driver.js';

/** Operations of credentials and the audit log, whose proofs follow from their paths. */
const proved = everyName.filter((name) =>
  /^\/(?:health|api\/v1\/(?:identity|credentials|memory|webhooks|audit|audit-logs|admin\/(?:identity|credentials|tenants)))\b/.test(
    routes[name].path,
  ),
);

// PLT-10, CON-22
test.each(proved)('%s is published with its proofs', (name) => {
  const { method, path } = routes[name];
  const operation = contractDocument.paths[path]?.[method.toLowerCase()];
  expect(operation?.operationId).toBe(name);
  expect(operation?.security).toEqual(proofsOf(path));
});

/** Returns the schemes that an operation lists, by its path. */
function proofsOf(path: string): Readonly<Record<string, []>>[] {
  if (!path.startsWith('/api/') || path.endsWith('/federated-token')) return [];
  const tenant = { platformCredential: [] as [] };
  const installation = { globalCredential: [] as [] };
  const person = [{ loginSession: [] as [] }, { apiKey: [] as [] }];
  if (path.startsWith('/api/v1/admin/')) return [installation, ...person];
  return path.startsWith('/api/v1/audit') ? [tenant, installation, ...person] : [tenant, ...person];
}

test('PLT-9, CON-22 logins need no proof, and logouts a session', () => {
  expect(contractDocument.security).toEqual([{ platformCredential: [] }, { loginSession: [] }]);
  const schemes = (name: 'loginTenant' | 'loginGlobal' | 'logout') => {
    const { method, path } = routes[name];
    return contractDocument.paths[path]?.[method.toLowerCase()]?.security;
  };
  expect([schemes('loginTenant'), schemes('loginGlobal')]).toEqual([[], []]);
  expect(schemes('logout')).toEqual([{ loginSession: [] }]);
});

test('PLT-8, CON-22 the security schemes', () => {
  const { securitySchemes } = contractDocument.components;
  const bearer = { type: 'http', scheme: 'bearer' };
  expect(securitySchemes).toMatchObject({
    platformCredential: bearer,
    loginSession: bearer,
    globalCredential: bearer,
  });
  const keys = Object.values(securitySchemes).filter(({ type }) => type === 'apiKey');
  expect(keys).toEqual([expect.objectContaining({ in: 'header', name: 'X-API-Key' })]);
});

test('the request id is logged and audited, secrets are not', async () => {
  const told: unknown[] = [];
  const note = (message: string, fields?: object) => void told.push({ message, ...fields });
  const log: Logger = { error: note, warn: note, info: note, debug: note };
  await using keep = await openKeep({ store: testStore(), audit: { reads: true } });
  const { secret, credential } = await bootstrapTenant(keep, {
    tenantId: 'acme',
    subjectId: 'ops',
  });
  const app = appOf(keep, { log });
  const headers = { Authorization: `Bearer ${secret}`, 'X-Request-Id': 'request-1' };
  expect((await send(app, 'GET', '/api/v1/identity', { headers })).status).toBe(200);
  const body = JSON.stringify({ contract_version: 1, expected_revision: 1 });
  const typed = { ...headers, 'Content-Type': 'application/json' };
  const path = `/api/v1/credentials/${credential.id}/rotate`;
  const rotated = await send(app, 'POST', path, { headers: typed, body });
  expect(rotated.status).toBe(200);
  expect((await send(app, 'GET', '/api/v1/identity', { headers })).status).toBe(401);

  expect(told).toEqual([
    expect.objectContaining({ request_id: 'request-1', status: 200 }),
    expect.objectContaining({ request_id: 'request-1', status: 200 }),
    expect.objectContaining({ request_id: 'request-1', status: 401 }),
  ]);
  const fresh = { Authorization: `Bearer ${(rotated.body as { secret: string }).secret}` };
  const recorded = await send(app, 'GET', '/api/v1/audit', { headers: fresh });
  const { events } = recorded.body as AuditPage;
  expect(events.map(({ event_type }) => event_type)).toContain('access_granted');
  for (const { event_type, metadata } of events) {
    const isByOperator = metadata['principal'] === 'operator';
    expect(metadata['request_id'], event_type).toBe(isByOperator ? undefined : 'request-1');
  }
  const text = JSON.stringify([told, recorded]);
  for (const token of [secret, (rotated.body as { secret: string }).secret]) {
    expect(text).not.toContain(token.slice(37));
  }
});
