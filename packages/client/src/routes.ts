/**
 * The route of each operation. An operation reads its id, parameters and document from the path,
 * the query string and the body.
 */
import type { OperationName } from '@agentkeep/core/clients';
import { account, platform, type Route } from './route.js';
import { webhookRoutes } from './webhook-routes.js';

export type { Route, Surface } from './route.js';

/** The routes by operation. Type checking fails for an operation without a route. */
export const routes = Object.freeze({
  getHealth: platform.get('/health'),
  whoAmI: platform.get('/api/v1/identity'),
  issueCredential: platform.post('/api/v1/credentials', { status: 201 }),
  listTenantCredentials: platform.get('/api/v1/credentials'),
  inspectCredential: platform.get('/api/v1/credentials/{id}'),
  rotateCredential: platform.post('/api/v1/credentials/{id}/rotate'),
  revokeCredential: platform.post('/api/v1/credentials/{id}/revoke'),
  issueKeyCredential: platform.post('/api/v1/key-credentials', { status: 201 }),
  getKeyRequirement: platform.get('/api/v1/identity/key-requirement'),
  putKeyRequirement: platform.put('/api/v1/identity/key-requirement'),
  replaceCredentialKey: platform.post('/api/v1/credentials/{id}/key'),
  issueFederatedToken: platform.post('/api/v1/identity/federated-token', { isRepeatable: true }),
  issueFederatedCredential: platform.post('/api/v1/federated-credentials', { status: 201 }),
  listTrustedIssuers: platform.get('/api/v1/identity/issuers'),
  getTrustedIssuer: platform.get('/api/v1/identity/issuers/{name}'),
  putTrustedIssuer: platform.put('/api/v1/identity/issuers/{name}'),
  issueSubjectToken: platform.post('/api/v1/identity/subject-token', { isRepeatable: true }),
  listSubjects: platform.get('/api/v1/subjects'),
  getSubject: platform.get('/api/v1/subjects/{subject}'),
  putSubject: platform.put('/api/v1/subjects/{subject}'),
  startErasure: platform.post('/api/v1/erasures', { status: 201 }),
  getErasure: platform.get('/api/v1/erasures/{id}'),
  listErasures: platform.get('/api/v1/erasures'),
  eraseTenant: platform.post('/api/v1/admin/tenants/{tenant}/erasure', { status: 201 }),
  getTenantErasure: platform.get('/api/v1/admin/erasures/{id}'),
  listTenantErasures: platform.get('/api/v1/admin/erasures'),
  listScopes: platform.get('/api/v1/access/scopes'),
  listKnownSubjects: platform.get('/api/v1/access/subjects'),
  listScopeHolders: platform.post('/api/v1/access/holders', { isRepeatable: true }),
  previewReach: platform.post('/api/v1/access/reach', { isRepeatable: true }),
  changeScopeAuthority: platform.post('/api/v1/credentials/{id}/scope-authority'),
  executeMemoryCommand: platform.post('/api/v1/memory/commands', {
    isRepeatable: true,
    mayWait: true,
  }),
  executeMemoryBatch: platform.post('/api/v1/memory/batches', {
    isRepeatable: true,
    mayWait: true,
  }),
  readMemoryRecord: platform.get('/api/v1/memory/records/{id}'),
  listMemoryRevisions: platform.get('/api/v1/memory/records/{id}/revisions'),
  listMemoryReads: platform.get('/api/v1/memory/records/{id}/reads'),
  traceMemoryDependents: platform.post('/api/v1/memory/records/{id}/dependents', {
    isRepeatable: true,
  }),
  getMemoryRetention: platform.get('/api/v1/memory/retention'),
  setMemoryRetention: platform.put('/api/v1/memory/retention'),
  readNamedRecord: platform.get('/api/v1/memory/records-by-name'),
  claimConsumer: platform.post('/api/v1/memory/consumers/{name}/claim', { isRepeatable: true }),
  readConsumer: platform.post('/api/v1/memory/consumers/{name}/read', { isRepeatable: true }),
  commitConsumer: platform.post('/api/v1/memory/consumers/{name}/commit', { isRepeatable: true }),
  releaseConsumer: platform.post('/api/v1/memory/consumers/{name}/release', {
    isRepeatable: true,
  }),
  listConsumers: platform.get('/api/v1/memory/consumers'),
  deleteConsumer: platform.delete('/api/v1/memory/consumers/{name}'),
  listMemoryChanges: platform.get('/api/v1/memory/changes', { hasEvents: true }),
  queryMemory: platform.post('/api/v1/memory/query', { isRepeatable: true }),
  searchMemory: platform.post('/api/v1/memory/search', { isRepeatable: true }),
  attachEmbeddings: platform.post('/api/v1/memory/embeddings'),
  createMemoryBranch: platform.post('/api/v1/memory/branches', { status: 201 }),
  listMemoryBranches: platform.get('/api/v1/memory/branches'),
  getMemoryBranch: platform.get('/api/v1/memory/branches/{id}'),
  compareMemoryBranch: platform.get('/api/v1/memory/branches/{id}/diff'),
  mergeMemoryBranch: platform.post('/api/v1/memory/branches/{id}/merge'),
  dropMemoryBranch: platform.delete('/api/v1/memory/branches/{id}'),
  proposeMemory: platform.post('/api/v1/memory/proposals', { status: 201, isRepeatable: true }),
  proposeMemoryBranch: platform.post('/api/v1/memory/branches/{id}/proposal', {
    isRepeatable: true,
  }),
  listMemoryProposals: platform.get('/api/v1/memory/proposals'),
  rejectMemoryProposal: platform.post('/api/v1/memory/proposals/{id}/rejection', {
    isRepeatable: true,
  }),
  withdrawMemoryProposals: platform.post('/api/v1/memory/proposals/withdrawal'),
  listEmbeddingSpaces: platform.get('/api/v1/memory/embedding-spaces'),
  useEmbeddingSpace: platform.put('/api/v1/memory/embedding-spaces/default', {
    isRepeatable: true,
  }),
  dropEmbeddingSpace: platform.post('/api/v1/memory/embedding-spaces/drop', {
    isRepeatable: true,
  }),
  exportMemory: platform.post('/api/v1/exports', { isRepeatable: true, hasLines: true }),
  importMemory: platform.post('/api/v1/imports', { isRepeatable: true }),
  ...webhookRoutes,
  createUser: account.post('/api/v1/users', { status: 201 }),
  listUsers: account.get('/api/v1/users'),
  getUser: account.get('/api/v1/users/{id}'),
  updateUser: account.put('/api/v1/users/{id}'),
  deleteUser: account.delete('/api/v1/users/{id}'),
  setUserRoles: account.put('/api/v1/users/{id}/roles'),
  inviteUser: account.post('/api/v1/invitations', { status: 201 }),
  listInvitations: account.get('/api/v1/invitations'),
  revokeInvitation: account.delete('/api/v1/invitations/{id}'),
  createResetLink: account.post('/api/v1/users/{id}/reset-link', { status: 201 }),
  acceptInvitation: account.post('/api/v1/accept-invitation'),
  changeOwnPassword: account.put('/api/v1/users/me/password'),
  resetPassword: account.put('/api/v1/users/{user_id}/password'),
  getUserLinks: account.get('/api/v1/users/{id}/links'),
  putUserLinks: account.put('/api/v1/users/{id}/links'),
  getSignInSettings: account.get('/api/v1/sign-in/settings'),
  putSignInSettings: account.put('/api/v1/sign-in/settings'),
  getSignInMethods: account.get('/api/v1/sign-in'),
  // Beginning stores nothing.
  beginSignIn: account.post('/api/v1/sign-in', { isRepeatable: true }),
  completeSignIn: account.post('/api/v1/sign-in/complete'),
  receiveIssuerLogout: account.post('/api/v1/sign-in/logout'),
  listUserApiKeys: account.get('/api/v1/users/{id}/keys'),
  revokeUserApiKey: account.post('/api/v1/users/{id}/keys/revoke'),
  listUserSessions: account.get('/api/v1/users/{id}/sessions'),
  endUserSession: account.post('/api/v1/users/{id}/sessions/end'),
  registerLearningPolicy: platform.post('/api/v1/learning/policies', { isRepeatable: true }),
  getLearningPolicy: platform.get('/api/v1/learning/policies/{id}'),
  registerLearningContext: platform.post('/api/v1/learning/contexts', { isRepeatable: true }),
  getLearningContext: platform.get('/api/v1/learning/contexts/{id}'),
  proposeProcedure: platform.post('/api/v1/learning/proposals', { isRepeatable: true }),
  readProcedure: platform.post('/api/v1/learning/procedures/read', { isRepeatable: true }),
  admitEvaluation: platform.post('/api/v1/learning/evaluations', { isRepeatable: true }),
  readEvaluationAdmission: platform.post('/api/v1/learning/evaluations/read', {
    isRepeatable: true,
  }),
  selectProcedure: platform.post('/api/v1/learning/select', { isRepeatable: true }),
  listProcedures: platform.post('/api/v1/learning/procedures/list', { isRepeatable: true }),
  listEvaluations: platform.post('/api/v1/learning/evaluations/list', { isRepeatable: true }),
  listLearningPolicies: platform.get('/api/v1/learning/policies'),
  listLearningContexts: platform.get('/api/v1/learning/contexts'),
  registerToolExecutor: platform.post('/api/v1/tools/executors', { isRepeatable: true }),
  readToolExecutor: platform.get('/api/v1/tools/executors/{id}'),
  registerToolArtifact: platform.post('/api/v1/tools/artifacts', { isRepeatable: true }),
  readToolArtifact: platform.post('/api/v1/tools/artifacts/read', { isRepeatable: true }),
  requestToolDevelopment: platform.post('/api/v1/tools/development/requests', {
    isRepeatable: true,
  }),
  readToolDevelopment: platform.post('/api/v1/tools/development/read', { isRepeatable: true }),
  recordToolDevelopmentEvent: platform.post('/api/v1/tools/development/commands', {
    isRepeatable: true,
  }),
  readToolDevelopmentEvent: platform.post('/api/v1/tools/development/events/read', {
    isRepeatable: true,
  }),
  listToolArtifacts: platform.post('/api/v1/tools/artifacts/list', { isRepeatable: true }),
  listToolDevelopments: platform.post('/api/v1/tools/development/list', { isRepeatable: true }),
  listToolDevelopmentEvents: platform.post('/api/v1/tools/development/events/list', {
    isRepeatable: true,
  }),
  registerExperience: platform.post('/api/v1/experiences', { isRepeatable: true }),
  readExperience: platform.post('/api/v1/experiences/read', { isRepeatable: true }),
  recordExperienceEvent: platform.post('/api/v1/experiences/events', { isRepeatable: true }),
  readExperienceEvent: platform.post('/api/v1/experiences/events/read', { isRepeatable: true }),
  readExperienceHistory: platform.post('/api/v1/experiences/history', { isRepeatable: true }),
  listExperiences: platform.post('/api/v1/experiences/list', { isRepeatable: true }),
  queryAuditLogs: account.get('/api/v1/audit-logs'),
  queryAudit: account.get('/api/v1/audit'),
  verifyAuditChain: account.get('/api/v1/audit-logs/verification'),
  authLogin: account.post('/api/v1/auth/login'),
  // A new access token changes nothing but the time of the last use of its session.
  authRefresh: account.post('/api/v1/auth/refresh', { isRepeatable: true }),
  authLogout: account.post('/api/v1/auth/logout'),
  revokeToken: account.post('/api/v1/auth/revoke'),
  revokeAllTokens: account.post('/api/v1/auth/revoke-all'),
  jwks: account.get('/.well-known/jwks.json'),
  listRateLimits: account.get('/api/v1/rate-limits'),
  createRateLimit: account.post('/api/v1/rate-limits', { status: 201 }),
  getRateLimit: account.get('/api/v1/rate-limits/{policy_id}'),
  updateRateLimit: account.put('/api/v1/rate-limits/{policy_id}'),
  deleteRateLimit: account.delete('/api/v1/rate-limits/{policy_id}'),
  listLockouts: account.get('/api/v1/lockouts'),
  getLockout: account.get('/api/v1/lockouts/{username}'),
  lockAccount: account.post('/api/v1/lockouts/{username}/lock'),
  unlockAccount: account.delete('/api/v1/lockouts/{username}'),
  createApiKey: account.post('/api/v1/keys', { status: 201 }),
  createApiKeyAlias: account.post('/api/v1/api-keys', { status: 201 }),
  listApiKeys: account.get('/api/v1/keys'),
  listApiKeysAlias: account.get('/api/v1/api-keys'),
  deleteApiKey: account.delete('/api/v1/keys/{key_id}'),
  deleteApiKeyAlias: account.delete('/api/v1/api-keys/{key_id}'),
  approveConnection: account.post('/api/v1/connections', { status: 201 }),
  listConnections: account.get('/api/v1/connections'),
  endConnection: account.delete('/api/v1/connections/{id}'),
  createSnapshot: account.post('/admin/snapshot', { status: 201 }),
  listSnapshots: account.get('/admin/snapshots'),
  getSnapshotSchedule: account.get('/admin/snapshots/schedule'),
  setSnapshotSchedule: account.put('/admin/snapshots/schedule'),
  getStats: account.get('/admin/stats'),
  globalIdentity: platform.get('/api/v1/admin/identity'),
  issueGlobalCredential: platform.post('/api/v1/admin/credentials', { status: 201 }),
  listGlobalCredentials: platform.get('/api/v1/admin/credentials'),
  inspectGlobalCredential: platform.get('/api/v1/admin/credentials/{id}'),
  rotateGlobalCredential: platform.post('/api/v1/admin/credentials/{id}/rotate'),
  revokeGlobalCredential: platform.post('/api/v1/admin/credentials/{id}/revoke'),
  registerTenant: platform.post('/api/v1/admin/tenants', { status: 201 }),
  getTenantUse: platform.get('/api/v1/admin/tenants/{tenant}/use'),
  listTenants: platform.get('/api/v1/admin/tenants'),
  inspectTenant: platform.get('/api/v1/admin/tenants/{tenant}'),
  issueTenantAdmin: platform.post('/api/v1/admin/tenants/{tenant}/admin-credentials', {
    status: 201,
  }),
  getStorageQuota: platform.get('/api/v1/admin/tenants/{tenant}/quota'),
  setStorageQuota: platform.put('/api/v1/admin/tenants/{tenant}/quota'),
  createTenantLoginAccount: platform.post('/api/v1/login-accounts', { status: 201 }),
  listTenantLoginAccounts: platform.get('/api/v1/login-accounts'),
  inspectTenantLoginAccount: platform.get('/api/v1/login-accounts/{id}'),
  changePasswordTenantLoginAccount: platform.post('/api/v1/login-accounts/{id}/password'),
  disableTenantLoginAccount: platform.post('/api/v1/login-accounts/{id}/disable'),
  createGlobalLoginAccount: platform.post('/api/v1/admin/login-accounts', { status: 201 }),
  listGlobalLoginAccounts: platform.get('/api/v1/admin/login-accounts'),
  inspectGlobalLoginAccount: platform.get('/api/v1/admin/login-accounts/{id}'),
  changePasswordGlobalLoginAccount: platform.post('/api/v1/admin/login-accounts/{id}/password'),
  disableGlobalLoginAccount: platform.post('/api/v1/admin/login-accounts/{id}/disable'),
  loginTenant: platform.post('/api/v1/login'),
  loginGlobal: platform.post('/api/v1/admin/login'),
  logout: platform.post('/api/v1/logout'),
} satisfies Record<OperationName, Route>);

/** The route of the contract itself, which is not an operation of the core. */
export const contractRoute = platform.get('/openapi.json');

const PARAMETER = /\{(\w+)\}/;

/** Returns the name of the parameter in a path template, if any. */
export function parameterOf(path: string): string | undefined {
  return PARAMETER.exec(path)?.[1];
}

/** Fills the parameter of a path template. */
export function fillPath(path: string, segment: string): string {
  return path.replace(PARAMETER, () => segment);
}

/** The parameters of queries that are integers; all others are texts. */
export const integerParameters: ReadonlySet<string> = new Set([
  ...['contract_version', 'limit', 'wait_millis', 'revision', 'as_of_millis'],
]);

/** Returns the status of a successful answer: 202 for a change that waits for review. */
export function successStatus({ status, mayWait }: Route, output: unknown): 200 | 201 | 202 {
  if (!mayWait) return status;
  const { receipt } = output as { readonly receipt?: { readonly proposal?: unknown } };
  return receipt?.proposal === undefined ? status : 202;
}
