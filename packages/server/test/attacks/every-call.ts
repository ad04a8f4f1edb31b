/**
 * A valid call of every operation; only the caller varies. A new operation needs a call here or in
 * `valid-parts.ts`, or the tests of attacks fail for it.
 */
import { type OperationName, operations } from '@agentkeep/core';
import type { Operation } from '@agentkeep/core/operator';
import type { Parts } from '@agentkeep/contract-cases/answer';
import { unknownId } from '@agentkeep/contract-cases/documents';
import { validParts } from '@agentkeep/contract-cases/valid-parts';

/** A valid password that no account has. */
export const NEW_PASSWORD = 'Fresh-Zebra-42-canary';

const policy = { name: 'p', endpoint_type: 'GeneralApi', max_requests: 9, window_secs: 9 };
const login = { username: 'nobody', password: NEW_PASSWORD };
const target = { id: unknownId };

/** Calls of the account surface and of public operations. */
const otherParts: { readonly [N in OperationName]?: Parts } = {
  getHealth: {},
  jwks: {},
  authLogin: { document: login },
  loginTenant: { document: { ...login, contract_version: 1, tenant_id: 'acme' } },
  loginGlobal: { document: { ...login, contract_version: 1 } },
  authRefresh: { document: { refresh_token: 'akr1_x' } },
  revokeToken: { document: { token: 'a.b.c' } },
  authLogout: {},
  logout: {},
  revokeAllTokens: { document: { user_id: unknownId } },
  createUser: { document: login },
  listUsers: {},
  getUser: target,
  updateUser: { ...target, document: { email: null } },
  deleteUser: target,
  setUserRoles: { ...target, document: { roles: ['Read'] } },
  changeOwnPassword: { document: { current_password: 'x', new_password: NEW_PASSWORD } },
  resetPassword: { ...target, document: { new_password: NEW_PASSWORD } },
  listUserApiKeys: target,
  revokeUserApiKey: { ...target, document: { key_id: unknownId } },
  queryAuditLogs: {},
  queryAudit: {},
  listRateLimits: {},
  createRateLimit: { document: policy },
  getRateLimit: target,
  updateRateLimit: { ...target, document: { enabled: false } },
  deleteRateLimit: target,
  listLockouts: {},
  getLockout: { id: 'nobody' },
  lockAccount: { id: 'nobody', document: {} },
  unlockAccount: { id: 'nobody' },
  createApiKey: { document: { name: 'k' } },
  createApiKeyAlias: { document: { name: 'k' } },
  listApiKeys: {},
  listApiKeysAlias: {},
  deleteApiKey: target,
  deleteApiKeyAlias: target,
  createSnapshot: {},
  listSnapshots: {},
  getStats: {},
};

/** The names of all operations. */
export const everyName = Object.keys(operations) as OperationName[];

/**
 * Returns the valid call of an operation.
 * @throws {Error} for an operation without one.
 */
export function callOf(name: OperationName): Parts {
  const parts = otherParts[name] ?? validParts[name];
  if (parts === undefined) throw new Error(`${name} needs a call in every-call.ts.`);
  return parts;
}

/** Returns an operation in the form that the tables of access use. */
export function operationOf(name: OperationName): Operation {
  return operations[name];
}
