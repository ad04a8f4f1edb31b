/** Operations on accounts, their passwords and API keys. */
import { createApiKey, createApiKeyAlias } from './api-key/create-api-key.js';
import { deleteApiKey, deleteApiKeyAlias } from './api-key/delete-api-key.js';
import { listApiKeys, listApiKeysAlias } from './api-key/list-api-keys.js';
import {
  changePasswordTenantLoginAccount,
  changePasswordGlobalLoginAccount,
  disableTenantLoginAccount,
  disableGlobalLoginAccount,
} from './login-account/change-login-account.js';
import {
  createTenantLoginAccount,
  createGlobalLoginAccount,
} from './login-account/create-login-account.js';
import {
  inspectTenantLoginAccount,
  inspectGlobalLoginAccount,
} from './login-account/inspect-login-account.js';
import {
  listTenantLoginAccounts,
  listGlobalLoginAccounts,
} from './login-account/list-login-accounts.js';
import { loginGlobal } from './login-account/login-global.js';
import { loginTenant } from './login-account/login-tenant.js';
import { logout } from './login-account/logout.js';
import { changeOwnPassword } from './user/change-own-password.js';
import { createUser } from './user/create-user.js';
import { deleteUser } from './user/delete-user.js';
import { getUser } from './user/get-user.js';
import { listUserApiKeys } from './user/list-user-api-keys.js';
import { listUsers } from './user/list-users.js';
import { resetPassword } from './user/reset-password.js';
import { revokeAllTokens } from './user/revoke-all-tokens.js';
import { revokeUserApiKey } from './user/revoke-user-api-key.js';
import { setUserRoles } from './user/set-user-roles.js';
import { updateUser } from './user/update-user.js';

/** These operations by name. */
export const accountOperations = {
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
  revokeAllTokens,
  createApiKey,
  createApiKeyAlias,
  listApiKeys,
  listApiKeysAlias,
  deleteApiKey,
  deleteApiKeyAlias,
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
