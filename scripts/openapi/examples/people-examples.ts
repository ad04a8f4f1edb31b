/** Examples of requests to accounts of people, rate limits and the installation. */
import { id, password, revision, version } from './parts.ts';

const changed = { ...revision, password } as const;
const account = { ...version, username: 'ann', password, credential_id: id } as const;
const key = { name: 'nightly report', expires_in_days: 90 } as const;

/** By the names of operations. */
export const peopleExamples = {
  createUser: { username: 'ann', password, email: 'ann@example.com', roles: ['Read', 'Write'] },
  updateUser: { email: 'ann@example.com', is_active: true },
  setUserRoles: { roles: ['Read'] },
  changeOwnPassword: { current_password: password, new_password: 'Staple-Battery-9' },
  resetPassword: { new_password: 'Staple-Battery-9' },
  revokeUserApiKey: { key_id: id },
  authLogin: { username: 'ann', password, tenant_id: 'acme' },
  authRefresh: { refresh_token: 'akr1_…' },
  revokeToken: { token: 'eyJ…' },
  revokeAllTokens: { user_id: id, reason: 'A laptop was lost.' },
  createRateLimit: {
    name: 'logins',
    endpoint_type: 'GeneralApi',
    max_requests: 600,
    window_secs: 60,
  },
  updateRateLimit: { max_requests: 300 },
  lockAccount: { reason: 'Under investigation.' },
  createApiKey: key,
  createApiKeyAlias: key,
  issueGlobalCredential: {
    ...version,
    spec: { subject_id: 'provisioner', capabilities: ['tenant_create', 'tenant_inspect'] },
  },
  rotateGlobalCredential: revision,
  revokeGlobalCredential: revision,
  registerTenant: { ...version, tenant_id: 'globex', subject_id: 'ops', display_name: 'Globex' },
  issueTenantAdmin: { ...version, subject_id: 'ops' },
  setStorageQuota: { ...version, max_entries: 1_000_000, max_bytes: null },
  createTenantLoginAccount: account,
  createGlobalLoginAccount: account,
  changePasswordTenantLoginAccount: changed,
  changePasswordGlobalLoginAccount: changed,
  disableTenantLoginAccount: revision,
  disableGlobalLoginAccount: revision,
  loginTenant: { ...version, tenant_id: 'acme', username: 'ann', password },
  loginGlobal: { ...version, username: 'root', password },
} as const;
