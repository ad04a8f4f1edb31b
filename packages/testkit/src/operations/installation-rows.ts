/** Credentials and tenants of the installation. */
import { id, revision, version } from './documents.js';
import { changed, cursor, end, historyOf, learnedResource, revised, use } from './link.js';
import type { OperationRows } from './operation-row.js';

const globalCredential = revised('global credential', 'credential');
const ofTenant = { uses: [use('tenant', { 'path.tenant': 'id' })] };

/** The rows by operation. */
export const installationRows = {
  globalIdentity: {
    failures: [400, 401, 403],
    call: {},
  },
  issueGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: {
        ...version,
        spec: { subject_id: 'provisioner', capabilities: ['tenant_create', 'tenant_inspect'] },
      },
    },
    givesSecret: true,
    teaches: [globalCredential],
  },
  listGlobalCredentials: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('global credentials', 'answer.page'),
  },
  inspectGlobalCredential: {
    failures: [400, 401, 403],
    call: { id, parameters: {} },
    ...historyOf('global credential', {
      uses: [use('global credential', { 'path.id': 'id' })],
      teaches: [globalCredential],
    }),
  },
  rotateGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: revision },
    givesSecret: true,
    uses: [changed('global credential')],
    teaches: [globalCredential],
  },
  revokeGlobalCredential: {
    failures: [400, 401, 403, 409, 413],
    call: { id, document: revision },
    uses: [changed('global credential')],
    teaches: [end('global credential', 'path.id')],
  },
  registerTenant: {
    failures: [400, 401, 403, 409, 413],
    call: {
      document: { ...version, tenant_id: 'globex', subject_id: 'ops', display_name: 'Globex' },
    },
    givesSecret: true,
    teaches: [learnedResource('tenant', 'answer.tenant.tenant_id')],
  },
  listTenants: {
    failures: [400, 401, 403, 409, 413],
    call: { parameters: version },
    ...cursor('tenants', 'answer.page'),
  },
  inspectTenant: {
    failures: [400, 401, 403, 404],
    call: { id: 'acme' },
    ...ofTenant,
  },
  issueTenantAdmin: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id: 'acme', document: { ...version, subject_id: 'ops' } },
    givesSecret: true,
    ...ofTenant,
  },
  getStorageQuota: {
    failures: [400, 401, 403, 404],
    call: { id: 'acme' },
    ...ofTenant,
  },
  setStorageQuota: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id: 'acme', document: { ...version, max_entries: 1_000_000, max_bytes: null } },
    ...ofTenant,
  },
  eraseTenant: {
    failures: [400, 401, 403, 404, 409, 413],
    call: { id: 'acme', document: version },
    ...ofTenant,
  },
  getTenantErasure: {
    failures: [400, 401, 403, 404],
    call: { id },
  },
} satisfies OperationRows;
