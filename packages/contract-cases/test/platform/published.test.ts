/**
 * The published contract of the operations, and what logs and audit record of a request
 * (docs/contract/platform.md).
 */
import { type AuditPage, openKeep, operations } from '@agentkeep/core';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { expect, test } from 'vitest';
import { testStore } from '@agentkeep/testkit/test-store';
import { contractDocument, type Logger } from '@agentkeep/server';
import { appOf, send } from '../harness/http-driver.js';

const change = [400, 401, 403, 409, 413, 500];

/** Failure statuses, as listed in the tables of the contract. */
const tables: readonly (readonly [string, string, string, number, number[]])[] = [
  ['getHealth', 'get', '/health', 200, [500]],
  ['getContract', 'get', '/openapi.json', 200, [500]],
  // The table omits the 400 for query strings, which is a common rule.
  ['whoAmI', 'get', '/api/v1/identity', 200, [400, 401, 403, 500]],
  ['issueCredential', 'post', '/api/v1/credentials', 201, change],
  ['listTenantCredentials', 'get', '/api/v1/credentials', 200, change],
  ['inspectCredential', 'get', '/api/v1/credentials/{id}', 200, [400, 401, 403, 500]],
  ['rotateCredential', 'post', '/api/v1/credentials/{id}/rotate', 200, change],
  ['revokeCredential', 'post', '/api/v1/credentials/{id}/revoke', 200, change],
  ['changeScopeAuthority', 'post', '/api/v1/credentials/{id}/scope-authority', 200, change],
  ['executeMemoryCommand', 'post', '/api/v1/memory/commands', 200, [...change, 404]],
  ['listMemoryChanges', 'get', '/api/v1/memory/changes', 200, [400, 401, 403, 410, 500]],
  ['executeMemoryBatch', 'post', '/api/v1/memory/batches', 200, [...change, 404]],
  ['readMemoryRecord', 'get', '/api/v1/memory/records/{id}', 200, [400, 401, 403, 404, 500]],
  [
    'listMemoryRevisions',
    'get',
    '/api/v1/memory/records/{id}/revisions',
    200,
    [400, 401, 403, 404, 500],
  ],
  ['getMemoryRetention', 'get', '/api/v1/memory/retention', 200, [400, 401, 403, 500]],
  ['setMemoryRetention', 'put', '/api/v1/memory/retention', 200, change],
  ['readNamedRecord', 'get', '/api/v1/memory/records-by-name', 200, [400, 401, 403, 404, 500]],
  ['queryMemory', 'post', '/api/v1/memory/query', 200, [400, 401, 403, 413, 500]],
  ['attachEmbeddings', 'post', '/api/v1/memory/embeddings', 200, change],
  ['searchMemory', 'post', '/api/v1/memory/search', 200, [400, 401, 403, 413, 500]],
  ['createWebhook', 'post', '/api/v1/webhooks', 201, [...change, 410]],
  ['listWebhooks', 'get', '/api/v1/webhooks', 200, [400, 401, 403, 500]],
  ['getWebhook', 'get', '/api/v1/webhooks/{id}', 200, [400, 401, 403, 404, 500]],
  ['updateWebhook', 'put', '/api/v1/webhooks/{id}', 200, [...change, 404]],
  ['deleteWebhook', 'delete', '/api/v1/webhooks/{id}', 200, [400, 401, 403, 404, 500]],
  ['rotateWebhookSecret', 'post', '/api/v1/webhooks/{id}/rotate', 200, [...change, 404]],
  [
    'listWebhookDeadLetters',
    'get',
    '/api/v1/webhooks/{id}/dead-letters',
    200,
    [400, 401, 403, 404, 500],
  ],
  [
    'replayWebhookDeadLetters',
    'post',
    '/api/v1/webhooks/{id}/replay',
    200,
    [400, 401, 403, 404, 413, 500],
  ],
  // Likewise for operations on a single resource.
  ['globalIdentity', 'get', '/api/v1/admin/identity', 200, [400, 401, 403, 500]],
  ['issueGlobalCredential', 'post', '/api/v1/admin/credentials', 201, change],
  ['listGlobalCredentials', 'get', '/api/v1/admin/credentials', 200, change],
  ['inspectGlobalCredential', 'get', '/api/v1/admin/credentials/{id}', 200, [400, 401, 403, 500]],
  ['rotateGlobalCredential', 'post', '/api/v1/admin/credentials/{id}/rotate', 200, change],
  ['revokeGlobalCredential', 'post', '/api/v1/admin/credentials/{id}/revoke', 200, change],
  ['registerTenant', 'post', '/api/v1/admin/tenants', 201, change],
  ['listTenants', 'get', '/api/v1/admin/tenants', 200, change],
  ['inspectTenant', 'get', '/api/v1/admin/tenants/{tenant}', 200, [400, 401, 403, 404, 500]],
  [
    'issueTenantAdmin',
    'post',
    '/api/v1/admin/tenants/{tenant}/admin-credentials',
    201,
    [...change, 404],
  ],
  [
    'getStorageQuota',
    'get',
    '/api/v1/admin/tenants/{tenant}/quota',
    200,
    [400, 401, 403, 404, 500],
  ],
  ['setStorageQuota', 'put', '/api/v1/admin/tenants/{tenant}/quota', 200, [...change, 404]],
  ['queryAuditLogs', 'get', '/api/v1/audit-logs', 200, [400, 401, 403, 404, 500]],
  ['queryAudit', 'get', '/api/v1/audit', 200, [400, 401, 403, 404, 500]],
];

test.each(tables)('%s is published with its statuses', (name, method, path, ok, bad) => {
  const operation = contractDocument.paths[path]?.[method];
  expect(operation?.operationId).toBe(name);
  const statuses = Object.keys(operation?.responses ?? {}).map(Number);
  expect(statuses.toSorted()).toEqual([ok, ...bad, ...busy(name), 429].toSorted());
  expect(operation?.security).toEqual(proofsOf(path));
});

/** Heavy operations have one more. */
function busy(name: string): number[] {
  const operation = Object.values(operations).find((each) => each.name === name);
  return operation !== undefined && 'isHeavy' in operation && operation.isHeavy ? [503] : [];
}

/** Returns the schemes that an operation lists, by its path. */
function proofsOf(path: string): Readonly<Record<string, []>>[] {
  if (!path.startsWith('/api/')) return [];
  const tenant = { platformCredential: [] as [] };
  const installation = { globalCredential: [] as [] };
  const person = [{ loginSession: [] as [] }, { apiKey: [] as [] }];
  if (path.startsWith('/api/v1/admin/')) return [installation, ...person];
  return path.startsWith('/api/v1/audit') ? [tenant, installation, ...person] : [tenant, ...person];
}

test('INS-29, CON-22 the security schemes', () => {
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
