/** Credentials and tenants of the installation. */
import { changed, cursor, end, historyOf, learnedResource, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const globalCredential = revised('global credential', 'credential');
const ofTenant = { uses: [use('tenant', { 'path.tenant': 'id' })] };

/** The rows by operation. */
export const installationRows = {
  globalIdentity: {
    failures: [400, 401, 403],
  },
  issueGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    teaches: [globalCredential],
  },
  listGlobalCredentials: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('global credentials', 'answer.page'),
  },
  inspectGlobalCredential: {
    failures: [400, 401, 403],
    ...historyOf('global credential', {
      uses: [use('global credential', { 'path.id': 'id' })],
      teaches: [globalCredential],
    }),
  },
  rotateGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    uses: [changed('global credential')],
    teaches: [globalCredential],
  },
  revokeGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    uses: [changed('global credential')],
    teaches: [end('global credential', 'path.id')],
  },
  registerTenant: {
    failures: [400, 401, 403, 409, 413],
    givesSecret: true,
    teaches: [learnedResource('tenant', 'answer.tenant.tenant_id')],
  },
  listTenants: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('tenants', 'answer.page'),
  },
  inspectTenant: {
    failures: [400, 401, 403, 404],
    ...ofTenant,
  },
  issueTenantAdmin: {
    failures: [400, 401, 403, 404, 409, 413],
    givesSecret: true,
    ...ofTenant,
  },
  getStorageQuota: {
    failures: [400, 401, 403, 404],
    ...ofTenant,
  },
  getTenantUse: {
    failures: [400, 401, 403, 404],
    uses: [
      ...ofTenant.uses,
      use('cursor of a tenant use', { 'path.tenant': 'owner', 'query.cursor': 'id' }),
    ],
    teaches: [
      learnedResource('cursor of a tenant use', 'answer.next_cursor', { owner: 'path.tenant' }),
    ],
  },
  setStorageQuota: {
    failures: [400, 401, 403, 404, 409, 413],
    ...ofTenant,
  },
  eraseTenant: {
    failures: [400, 401, 403, 404, 409, 413],
    ...ofTenant,
    teaches: [learnedResource('tenant erasure', 'answer.erasure.id')],
  },
  getTenantErasure: {
    failures: [400, 401, 403, 404],
    uses: [use('tenant erasure', { 'path.id': 'id' })],
  },
  listTenantErasures: {
    failures: [400, 401, 403, 409, 413],
    ...cursor('tenant-erasures', 'answer.page'),
  },
} satisfies OperationRows;
