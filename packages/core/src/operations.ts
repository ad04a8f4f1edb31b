/**
 * Every operation of Agentkeep. To add one, write its file and name it here.
 * @module
 */
import { queryAudit } from './audit/query-audit.js';
import { queryAuditLogs } from './audit/query-audit-logs.js';
import { changeScopeAuthority } from './credential/change-scope-authority.js';
import { inspectCredential } from './credential/inspect-credential.js';
import { issueCredential } from './credential/issue-credential.js';
import { listTenantCredentials } from './credential/list-tenant-credentials.js';
import { revokeCredential } from './credential/revoke-credential.js';
import { rotateCredential } from './credential/rotate-credential.js';
import { whoAmI } from './credential/who-am-i.js';
import { getHealth } from './health/get-health.js';
import { executeMemoryCommand } from './memory/execute-memory-command.js';
import { queryMemory } from './memory/query-memory.js';
import { readMemoryRecord } from './memory/read-memory-record.js';
import { authLogin } from './session/auth-login.js';
import { authLogout } from './session/auth-logout.js';
import { authRefresh } from './session/auth-refresh.js';
import { jwks } from './session/jwks.js';
import { revokeAllTokens } from './session/revoke-all-tokens.js';
import { revokeToken } from './session/revoke-token.js';
import { createRateLimit } from './rate-limit/create-rate-limit.js';
import { deleteRateLimit } from './rate-limit/delete-rate-limit.js';
import { getRateLimit } from './rate-limit/get-rate-limit.js';
import { listRateLimits } from './rate-limit/list-rate-limits.js';
import { updateRateLimit } from './rate-limit/update-rate-limit.js';

/** The operations by name. */
export const operations = {
  getHealth,
  whoAmI,
  issueCredential,
  listTenantCredentials,
  inspectCredential,
  rotateCredential,
  revokeCredential,
  changeScopeAuthority,
  executeMemoryCommand,
  readMemoryRecord,
  queryMemory,
  queryAuditLogs,
  queryAudit,
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
} as const;

/** Name of an operation. */
export type OperationName = keyof typeof operations;
