/**
 * The route of each operation. An operation reads its id, parameters and document from the path,
 * the query string and the body.
 */
import type { OperationName } from '@agentkeep/core/clients';

/** Method, path template and success status of an operation. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** At most one segment is a parameter in braces; it holds the id of the input. */
  readonly path: string;
  readonly status: 200 | 201;
}

const route =
  (method: Route['method']) =>
  (path: string, status: Route['status'] = 200): Route =>
    Object.freeze({ method, path, status });

const get = route('GET');
const post = route('POST');
const put = route('PUT');
const del = route('DELETE');

/** The routes by operation. Type checking fails for an operation without a route. */
export const routes = Object.freeze({
  getHealth: get('/health'),
  whoAmI: get('/api/v1/identity'),
  issueCredential: post('/api/v1/credentials', 201),
  listTenantCredentials: get('/api/v1/credentials'),
  inspectCredential: get('/api/v1/credentials/{id}'),
  rotateCredential: post('/api/v1/credentials/{id}/rotate'),
  revokeCredential: post('/api/v1/credentials/{id}/revoke'),
  changeScopeAuthority: post('/api/v1/credentials/{id}/scope-authority'),
  executeMemoryCommand: post('/api/v1/memory/commands'),
  executeMemoryBatch: post('/api/v1/memory/batches'),
  readMemoryRecord: get('/api/v1/memory/records/{id}'),
  listMemoryRevisions: get('/api/v1/memory/records/{id}/revisions'),
  getMemoryRetention: get('/api/v1/memory/retention'),
  setMemoryRetention: put('/api/v1/memory/retention'),
  readNamedRecord: get('/api/v1/memory/records-by-name'),
  listMemoryChanges: get('/api/v1/memory/changes'),
  queryMemory: post('/api/v1/memory/query'),
  searchMemory: post('/api/v1/memory/search'),
  attachEmbeddings: post('/api/v1/memory/embeddings'),
  createWebhook: post('/api/v1/webhooks', 201),
  listWebhooks: get('/api/v1/webhooks'),
  getWebhook: get('/api/v1/webhooks/{id}'),
  updateWebhook: put('/api/v1/webhooks/{id}'),
  deleteWebhook: del('/api/v1/webhooks/{id}'),
  rotateWebhookSecret: post('/api/v1/webhooks/{id}/rotate'),
  listWebhookDeadLetters: get('/api/v1/webhooks/{id}/dead-letters'),
  replayWebhookDeadLetters: post('/api/v1/webhooks/{id}/replay'),
  createUser: post('/api/v1/users', 201),
  listUsers: get('/api/v1/users'),
  getUser: get('/api/v1/users/{id}'),
  updateUser: put('/api/v1/users/{id}'),
  deleteUser: del('/api/v1/users/{id}'),
  setUserRoles: put('/api/v1/users/{id}/roles'),
  changeOwnPassword: put('/api/v1/users/me/password'),
  resetPassword: put('/api/v1/users/{user_id}/password'),
  listUserApiKeys: get('/api/v1/users/{id}/keys'),
  revokeUserApiKey: post('/api/v1/users/{id}/keys/revoke'),
  registerLearningPolicy: post('/api/v1/learning/policies'),
  getLearningPolicy: get('/api/v1/learning/policies/{id}'),
  registerLearningContext: post('/api/v1/learning/contexts'),
  getLearningContext: get('/api/v1/learning/contexts/{id}'),
  proposeProcedure: post('/api/v1/learning/proposals'),
  readProcedure: post('/api/v1/learning/procedures/read'),
  admitEvaluation: post('/api/v1/learning/evaluations'),
  readEvaluationAdmission: post('/api/v1/learning/evaluations/read'),
  selectProcedure: post('/api/v1/learning/select'),
  registerToolExecutor: post('/api/v1/tools/executors'),
  readToolExecutor: get('/api/v1/tools/executors/{id}'),
  registerToolArtifact: post('/api/v1/tools/artifacts'),
  readToolArtifact: post('/api/v1/tools/artifacts/read'),
  requestToolDevelopment: post('/api/v1/tools/development/requests'),
  readToolDevelopment: post('/api/v1/tools/development/read'),
  recordToolDevelopmentEvent: post('/api/v1/tools/development/commands'),
  readToolDevelopmentEvent: post('/api/v1/tools/development/events/read'),
  registerExperience: post('/api/v1/experiences'),
  readExperience: post('/api/v1/experiences/read'),
  recordExperienceEvent: post('/api/v1/experiences/events'),
  readExperienceEvent: post('/api/v1/experiences/events/read'),
  readExperienceHistory: post('/api/v1/experiences/history'),
  queryAuditLogs: get('/api/v1/audit-logs'),
  queryAudit: get('/api/v1/audit'),
  authLogin: post('/api/v1/auth/login'),
  authRefresh: post('/api/v1/auth/refresh'),
  authLogout: post('/api/v1/auth/logout'),
  revokeToken: post('/api/v1/auth/revoke'),
  revokeAllTokens: post('/api/v1/auth/revoke-all'),
  jwks: get('/.well-known/jwks.json'),
  listRateLimits: get('/api/v1/rate-limits'),
  createRateLimit: post('/api/v1/rate-limits', 201),
  getRateLimit: get('/api/v1/rate-limits/{policy_id}'),
  updateRateLimit: put('/api/v1/rate-limits/{policy_id}'),
  deleteRateLimit: del('/api/v1/rate-limits/{policy_id}'),
  listLockouts: get('/api/v1/lockouts'),
  getLockout: get('/api/v1/lockouts/{username}'),
  lockAccount: post('/api/v1/lockouts/{username}/lock'),
  unlockAccount: del('/api/v1/lockouts/{username}'),
  createApiKey: post('/api/v1/keys', 201),
  createApiKeyAlias: post('/api/v1/api-keys', 201),
  listApiKeys: get('/api/v1/keys'),
  listApiKeysAlias: get('/api/v1/api-keys'),
  deleteApiKey: del('/api/v1/keys/{key_id}'),
  deleteApiKeyAlias: del('/api/v1/api-keys/{key_id}'),
  createSnapshot: post('/admin/snapshot', 201),
  listSnapshots: get('/admin/snapshots'),
  getStats: get('/admin/stats'),
  globalIdentity: get('/api/v1/admin/identity'),
  issueGlobalCredential: post('/api/v1/admin/credentials', 201),
  listGlobalCredentials: get('/api/v1/admin/credentials'),
  inspectGlobalCredential: get('/api/v1/admin/credentials/{id}'),
  rotateGlobalCredential: post('/api/v1/admin/credentials/{id}/rotate'),
  revokeGlobalCredential: post('/api/v1/admin/credentials/{id}/revoke'),
  registerTenant: post('/api/v1/admin/tenants', 201),
  listTenants: get('/api/v1/admin/tenants'),
  inspectTenant: get('/api/v1/admin/tenants/{tenant}'),
  issueTenantAdmin: post('/api/v1/admin/tenants/{tenant}/admin-credentials', 201),
  getStorageQuota: get('/api/v1/admin/tenants/{tenant}/quota'),
  setStorageQuota: put('/api/v1/admin/tenants/{tenant}/quota'),
  createTenantLoginAccount: post('/api/v1/login-accounts', 201),
  listTenantLoginAccounts: get('/api/v1/login-accounts'),
  inspectTenantLoginAccount: get('/api/v1/login-accounts/{id}'),
  changePasswordTenantLoginAccount: post('/api/v1/login-accounts/{id}/password'),
  disableTenantLoginAccount: post('/api/v1/login-accounts/{id}/disable'),
  createGlobalLoginAccount: post('/api/v1/admin/login-accounts', 201),
  listGlobalLoginAccounts: get('/api/v1/admin/login-accounts'),
  inspectGlobalLoginAccount: get('/api/v1/admin/login-accounts/{id}'),
  changePasswordGlobalLoginAccount: post('/api/v1/admin/login-accounts/{id}/password'),
  disableGlobalLoginAccount: post('/api/v1/admin/login-accounts/{id}/disable'),
  loginTenant: post('/api/v1/login'),
  loginGlobal: post('/api/v1/admin/login'),
  logout: post('/api/v1/logout'),
} satisfies Record<OperationName, Route>);

/** The route of the contract itself, which is not an operation of the core. */
export const contractRoute = get('/openapi.json');

const PARAMETER = /\{(\w+)\}/;

/** Returns the name of the parameter in a path template, if any. */
export function parameterOf(path: string): string | undefined {
  return PARAMETER.exec(path)?.[1];
}

/** Fills the parameter of a path template. */
export function fillPath(path: string, segment: string): string {
  return path.replace(PARAMETER, () => segment);
}
