/** Every operation of Agentkeep. To add one, write its file and name it here. */
import { queryAudit, queryAuditLogs } from './administration/audit/query-audit-logs.js';
import { verifyAuditChain } from './administration/audit/verification/verify-audit-chain.js';
import { deepFreeze } from './contract/deep-freeze.js';
import { exportMemory } from './administration/export/export-memory.js';
import { importMemory } from './administration/import/import-memory.js';
import { getHealth } from './administration/health/get-health.js';
import { getStorageQuota } from './administration/quota/get-storage-quota.js';
import { setStorageQuota } from './administration/quota/set-storage-quota.js';
import { createRateLimit } from './administration/rate-limit/create-rate-limit.js';
import { deleteRateLimit } from './administration/rate-limit/delete-rate-limit.js';
import { getRateLimit } from './administration/rate-limit/get-rate-limit.js';
import { listRateLimits } from './administration/rate-limit/list-rate-limits.js';
import { updateRateLimit } from './administration/rate-limit/update-rate-limit.js';
import { createSnapshot } from './administration/snapshot/create-snapshot.js';
import { getSnapshotSchedule } from './administration/snapshot/schedule/get-snapshot-schedule.js';
import { listSnapshots } from './administration/snapshot/list-snapshots.js';
import { getStats } from './administration/stats/get-stats.js';
import { changeScopeAuthority } from './identity/credential/change-scope-authority.js';
import { inspectCredential } from './identity/credential/inspect-credential.js';
import { issueCredential } from './identity/credential/issue-credential.js';
import { listTenantCredentials } from './identity/credential/list-tenant-credentials.js';
import { revokeCredential } from './identity/credential/revoke-credential.js';
import { rotateCredential } from './identity/credential/rotate-credential.js';
import { whoAmI } from './identity/credential/who-am-i.js';
import { globalIdentity } from './identity/global-credential/global-identity.js';
import { inspectGlobalCredential } from './identity/global-credential/inspect-global-credential.js';
import { issueGlobalCredential } from './identity/global-credential/issue-global-credential.js';
import { listGlobalCredentials } from './identity/global-credential/list-global-credentials.js';
import { revokeGlobalCredential } from './identity/global-credential/revoke-global-credential.js';
import { rotateGlobalCredential } from './identity/global-credential/rotate-global-credential.js';
import { eraseTenant } from './administration/erasure/erase-tenant.js';
import { getErasure } from './administration/erasure/get-erasure.js';
import { getTenantErasure } from './administration/erasure/get-tenant-erasure.js';
import { listErasures } from './administration/erasure/list-erasures.js';
import { startErasure } from './administration/erasure/start-erasure.js';
import { listKnownSubjects } from './administration/reach/list-known-subjects.js';
import { listScopeHolders } from './administration/reach/list-scope-holders.js';
import { listScopes } from './administration/reach/list-scopes.js';
import { previewReach } from './administration/reach/preview-reach.js';
import { getSubject } from './identity/delegation/get-subject.js';
import { issueSubjectToken } from './identity/delegation/issue-subject-token.js';
import { listSubjects } from './identity/delegation/list-subjects.js';
import { putSubject } from './identity/delegation/put-subject.js';
import { getKeyRequirement } from './identity/key-credential/get-key-requirement.js';
import { issueKeyCredential } from './identity/key-credential/issue-key-credential.js';
import { putKeyRequirement } from './identity/key-credential/put-key-requirement.js';
import { replaceCredentialKey } from './identity/key-credential/replace-credential-key.js';
import { getTrustedIssuer } from './identity/federation/get-trusted-issuer.js';
import { issueFederatedCredential } from './identity/federation/issue-federated-credential.js';
import { issueFederatedToken } from './identity/federation/issue-federated-token.js';
import { listTrustedIssuers } from './identity/federation/list-trusted-issuers.js';
import { putTrustedIssuer } from './identity/federation/put-trusted-issuer.js';
import { inspectTenant } from './identity/tenant/inspect-tenant.js';
import { issueTenantAdmin } from './identity/tenant/issue-tenant-admin.js';
import { listTenants } from './identity/tenant/list-tenants.js';
import { registerTenant } from './identity/tenant/register-tenant.js';
import { readExperienceEvent } from './learning/experience/read-experience-event.js';
import { readExperienceHistory } from './learning/experience/read-experience-history.js';
import { readExperience } from './learning/experience/read-experience.js';
import { recordExperienceEvent } from './learning/experience/record-experience-event.js';
import { registerExperience } from './learning/experience/register-experience.js';
import { listEvaluations } from './learning/listing/list-evaluations.js';
import { listExperiences } from './learning/listing/list-experiences.js';
import { listLearningContexts, listLearningPolicies } from './learning/listing/list-entries.js';
import { listProcedures } from './learning/listing/list-procedures.js';
import { listToolArtifacts } from './learning/listing/list-tool-artifacts.js';
import { listToolDevelopmentEvents } from './learning/listing/list-tool-development-events.js';
import { listToolDevelopments } from './learning/listing/list-tool-developments.js';
import { admitEvaluation } from './learning/procedure/admit-evaluation.js';
import { getLearningContext, getLearningPolicy } from './learning/policy/get-learning-entry.js';
import { proposeProcedure } from './learning/procedure/propose-procedure.js';
import { readEvaluationAdmission } from './learning/procedure/read-evaluation-admission.js';
import { readProcedure } from './learning/procedure/read-procedure.js';
import {
  registerLearningContext,
  registerLearningPolicy,
} from './learning/policy/register-learning-entry.js';
import { selectProcedure } from './learning/procedure/select-procedure.js';
import { readToolArtifact } from './learning/tool/read-tool-artifact.js';
import { readToolDevelopmentEvent } from './learning/tool/read-tool-development-event.js';
import { readToolDevelopment } from './learning/tool/read-tool-development.js';
import { readToolExecutor } from './learning/tool/read-tool-executor.js';
import { recordToolDevelopmentEvent } from './learning/tool/record-tool-development-event.js';
import { registerToolArtifact } from './learning/tool/register-tool-artifact.js';
import { registerToolExecutor } from './learning/tool/register-tool-executor.js';
import { requestToolDevelopment } from './learning/tool/request-tool-development.js';
import { dropEmbeddingSpace } from './memory/spaces/drop-embedding-space.js';
import { createMemoryBranch } from './memory/branching/create-memory-branch.js';
import { compareMemoryBranch } from './memory/branching/compare-memory-branch.js';
import { mergeMemoryBranch } from './memory/branching/merge-memory-branch.js';
import { dropMemoryBranch } from './memory/branching/drop-memory-branch.js';
import { getMemoryBranch } from './memory/branching/get-memory-branch.js';
import { listMemoryBranches } from './memory/branching/list-memory-branches.js';
import { listMemoryProposals } from './memory/branching/list-memory-proposals.js';
import { proposeMemory } from './memory/branching/propose-memory.js';
import { proposeMemoryBranch } from './memory/branching/propose-memory-branch.js';
import { rejectMemoryProposal } from './memory/branching/reject-memory-proposal.js';
import { listEmbeddingSpaces } from './memory/spaces/list-embedding-spaces.js';
import { useEmbeddingSpace } from './memory/spaces/use-embedding-space.js';
import { attachEmbeddings } from './memory/writing/attach-embeddings.js';
import { listMemoryChanges } from './memory/changes/list-memory-changes.js';
import { executeMemoryBatch } from './memory/writing/execute-memory-batch.js';
import { executeMemoryCommand } from './memory/writing/execute-memory-command.js';
import { getMemoryRetention } from './memory/retention/get-memory-retention.js';
import { claimConsumer } from './memory/consumers/claim-consumer.js';
import { commitConsumer } from './memory/consumers/commit-consumer.js';
import { deleteConsumer } from './memory/consumers/delete-consumer.js';
import { listConsumers } from './memory/consumers/list-consumers.js';
import { readConsumer } from './memory/consumers/read-consumer.js';
import { releaseConsumer } from './memory/consumers/release-consumer.js';
import { traceMemoryDependents } from './memory/dependents/trace-memory-dependents.js';
import { listMemoryRevisions } from './memory/reading/list-memory-revisions.js';
import { queryMemory } from './memory/search/query-memory.js';
import { readMemoryRecord } from './memory/reading/read-memory-record.js';
import { readNamedRecord } from './memory/reading/read-named-record.js';
import { setMemoryRetention } from './memory/retention/set-memory-retention.js';
import { searchMemory } from './memory/search/search-memory.js';
import { createApiKey, createApiKeyAlias } from './people/api-key/create-api-key.js';
import { deleteApiKey, deleteApiKeyAlias } from './people/api-key/delete-api-key.js';
import { approveConnection } from './people/connection/approve-connection.js';
import { endConnection } from './people/connection/end-connection.js';
import { listConnections } from './people/connection/list-connections.js';
import { listApiKeys, listApiKeysAlias } from './people/api-key/list-api-keys.js';
import { getLockout } from './people/lockout/get-lockout.js';
import { listLockouts } from './people/lockout/list-lockouts.js';
import { lockAccount } from './people/lockout/lock-account.js';
import { unlockAccount } from './people/lockout/unlock-account.js';
import {
  changePasswordGlobalLoginAccount,
  changePasswordTenantLoginAccount,
  disableGlobalLoginAccount,
  disableTenantLoginAccount,
} from './people/login-account/change-login-account.js';
import {
  createGlobalLoginAccount,
  createTenantLoginAccount,
} from './people/login-account/create-login-account.js';
import {
  inspectGlobalLoginAccount,
  inspectTenantLoginAccount,
} from './people/login-account/inspect-login-account.js';
import {
  listGlobalLoginAccounts,
  listTenantLoginAccounts,
} from './people/login-account/list-login-accounts.js';
import { loginGlobal } from './people/login-account/login-global.js';
import { loginTenant } from './people/login-account/login-tenant.js';
import { logout } from './people/login-account/logout.js';
import { putSignInSettings } from './people/openid/put-sign-in-settings.js';
import { getSignInSettings } from './people/openid/get-sign-in-settings.js';
import { getSignInMethods } from './people/openid/get-sign-in-methods.js';
import { beginSignIn } from './people/openid/begin-sign-in.js';
import { completeSignIn } from './people/openid/complete-sign-in.js';
import { receiveIssuerLogout } from './people/openid/receive-issuer-logout.js';
import { getUserLinks } from './people/openid/get-user-links.js';
import { putUserLinks } from './people/openid/put-user-links.js';
import { authLogin } from './people/session/auth-login.js';
import { authLogout } from './people/session/auth-logout.js';
import { authRefresh } from './people/session/auth-refresh.js';
import { jwks } from './people/session/jwks.js';
import { revokeToken } from './people/session/revoke-token.js';
import { changeOwnPassword } from './people/user/change-own-password.js';
import { createUser } from './people/user/create-user.js';
import { deleteUser } from './people/user/delete-user.js';
import { getUser } from './people/user/get-user.js';
import { listUserApiKeys } from './people/user/list-user-api-keys.js';
import { listUsers } from './people/user/list-users.js';
import { resetPassword } from './people/user/reset-password.js';
import { revokeAllTokens } from './people/user/revoke-all-tokens.js';
import { revokeUserApiKey } from './people/user/revoke-user-api-key.js';
import { setUserRoles } from './people/user/set-user-roles.js';
import { updateUser } from './people/user/update-user.js';
import { createWebhook } from './webhooks/create-webhook.js';
import { deleteWebhook } from './webhooks/delete-webhook.js';
import { getWebhook } from './webhooks/get-webhook.js';
import { listWebhookDeadLetters } from './webhooks/list-dead-letters.js';
import { listWebhooks } from './webhooks/list-webhooks.js';
import { replayWebhookDeadLetters } from './webhooks/replay-dead-letters.js';
import { rotateWebhookSecret } from './webhooks/rotate-webhook-secret.js';
import { updateWebhook } from './webhooks/update-webhook.js';

/** Branches of memory. */
const branchOperations = {
  createMemoryBranch,
  listMemoryBranches,
  getMemoryBranch,
  compareMemoryBranch,
  mergeMemoryBranch,
  dropMemoryBranch,
  proposeMemory,
  proposeMemoryBranch,
  listMemoryProposals,
  rejectMemoryProposal,
} as const;

/** Who reaches what, exports, imports and erasures. */
const rightsOperations = {
  listScopes,
  listKnownSubjects,
  listScopeHolders,
  previewReach,
  startErasure,
  getErasure,
  listErasures,
  eraseTenant,
  getTenantErasure,
  exportMemory,
  importMemory,
} as const;

/** The caller's identity, credentials, records and webhooks. */
const agentOperations = {
  getHealth,
  whoAmI,
  issueCredential,
  listTenantCredentials,
  inspectCredential,
  rotateCredential,
  revokeCredential,
  changeScopeAuthority,
  issueKeyCredential,
  replaceCredentialKey,
  getKeyRequirement,
  putKeyRequirement,
  getTrustedIssuer,
  issueFederatedCredential,
  issueFederatedToken,
  listTrustedIssuers,
  putTrustedIssuer,
  issueSubjectToken,
  listSubjects,
  getSubject,
  putSubject,
  executeMemoryCommand,
  executeMemoryBatch,
  listMemoryChanges,
  claimConsumer,
  readConsumer,
  commitConsumer,
  releaseConsumer,
  listConsumers,
  deleteConsumer,
  readMemoryRecord,
  listMemoryRevisions,
  traceMemoryDependents,
  getMemoryRetention,
  setMemoryRetention,
  readNamedRecord,
  queryMemory,
  searchMemory,
  attachEmbeddings,
  listEmbeddingSpaces,
  useEmbeddingSpace,
  dropEmbeddingSpace,
  createWebhook,
  listWebhooks,
  getWebhook,
  updateWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  listWebhookDeadLetters,
  replayWebhookDeadLetters,
} as const;

/** Users and their keys. */
const userOperations = {
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  setUserRoles,
  changeOwnPassword,
  resetPassword,
  listUserApiKeys,
  revokeUserApiKey,
} as const;

/** Procedures, tools and experiences. */
const learningOperations = {
  registerLearningPolicy,
  getLearningPolicy,
  registerLearningContext,
  getLearningContext,
  proposeProcedure,
  readProcedure,
  admitEvaluation,
  readEvaluationAdmission,
  selectProcedure,
  listProcedures,
  listEvaluations,
  listLearningPolicies,
  listLearningContexts,
  registerToolExecutor,
  readToolExecutor,
  registerToolArtifact,
  readToolArtifact,
  requestToolDevelopment,
  readToolDevelopment,
  recordToolDevelopmentEvent,
  readToolDevelopmentEvent,
  listToolArtifacts,
  listToolDevelopments,
  listToolDevelopmentEvents,
  registerExperience,
  readExperience,
  recordExperienceEvent,
  readExperienceEvent,
  readExperienceHistory,
  listExperiences,
} as const;

/** Audit, logins, limits, snapshots, tenants and their login accounts. */
const installationOperations = {
  queryAuditLogs,
  queryAudit,
  verifyAuditChain,
  putSignInSettings,
  getSignInSettings,
  getSignInMethods,
  beginSignIn,
  completeSignIn,
  receiveIssuerLogout,
  getUserLinks,
  putUserLinks,
  authLogin,
  authRefresh,
  authLogout,
  revokeToken,
  revokeAllTokens,
  jwks,
  listRateLimits,
  createRateLimit,
  getRateLimit,
  updateRateLimit,
  deleteRateLimit,
  listLockouts,
  getLockout,
  lockAccount,
  unlockAccount,
  createApiKey,
  createApiKeyAlias,
  listApiKeys,
  listApiKeysAlias,
  deleteApiKey,
  deleteApiKeyAlias,
  approveConnection,
  listConnections,
  endConnection,
  createSnapshot,
  listSnapshots,
  getSnapshotSchedule,
  getStats,
  globalIdentity,
  issueGlobalCredential,
  listGlobalCredentials,
  inspectGlobalCredential,
  rotateGlobalCredential,
  revokeGlobalCredential,
  registerTenant,
  listTenants,
  inspectTenant,
  issueTenantAdmin,
  getStorageQuota,
  setStorageQuota,
  createTenantLoginAccount,
  createGlobalLoginAccount,
  inspectTenantLoginAccount,
  inspectGlobalLoginAccount,
  changePasswordTenantLoginAccount,
  changePasswordGlobalLoginAccount,
  disableTenantLoginAccount,
  disableGlobalLoginAccount,
  listTenantLoginAccounts,
  listGlobalLoginAccounts,
  loginTenant,
  loginGlobal,
  logout,
} as const;

/** The operations by name. */
export const operations: typeof agentOperations &
  typeof rightsOperations &
  typeof branchOperations &
  typeof userOperations &
  typeof learningOperations &
  typeof installationOperations = deepFreeze({
  ...agentOperations,
  ...rightsOperations,
  ...branchOperations,
  ...userOperations,
  ...learningOperations,
  ...installationOperations,
});

/** Name of an operation. */
export type OperationName = keyof typeof operations;
