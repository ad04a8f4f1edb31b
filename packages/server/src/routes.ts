/**
 * Where each operation lives in the HTTP API. Id, parameters and document of an operation come from
 * the path, the query string and the body.
 * @module
 */
import type { OperationName } from '@agentkeep/core';

/** Method, path template and success status of an operation. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `{id}` stands for one path segment. */
  readonly path: string;
  readonly status: 200 | 201;
}

const get = (path: string): Route => ({ method: 'GET', path, status: 200 });
const post = (path: string, status: Route['status'] = 200): Route => ({
  method: 'POST',
  path,
  status,
});

/** The routes by operation. An operation without one does not compile. */
export const routes = {
  getHealth: get('/health'),
  whoAmI: get('/api/v1/identity'),
  issueCredential: post('/api/v1/credentials', 201),
  listTenantCredentials: get('/api/v1/credentials'),
  inspectCredential: get('/api/v1/credentials/{id}'),
  rotateCredential: post('/api/v1/credentials/{id}/rotate'),
  revokeCredential: post('/api/v1/credentials/{id}/revoke'),
  changeScopeAuthority: post('/api/v1/credentials/{id}/scope-authority'),
  executeMemoryCommand: post('/api/v1/memory/commands'),
  readMemoryRecord: get('/api/v1/memory/records/{id}'),
  queryMemory: post('/api/v1/memory/query'),
  queryAuditLogs: get('/api/v1/audit-logs'),
  queryAudit: get('/api/v1/audit'),
} as const satisfies Record<OperationName, Route>;

/** The route of the contract itself, which is no operation of the core. */
export const contractRoute = get('/openapi.json');
