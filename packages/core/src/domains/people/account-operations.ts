/** Operations on accounts, their passwords and API keys. */
import {
  createApiKey,
  createApiKeyAlias,
  deleteApiKey,
  deleteApiKeyAlias,
  listApiKeys,
  listApiKeysAlias,
} from './api-key/manage-api-keys.js';
import {
  changePasswordGlobalLoginAccount,
  changePasswordTenantLoginAccount,
  createGlobalLoginAccount,
  createTenantLoginAccount,
  disableGlobalLoginAccount,
  disableTenantLoginAccount,
  inspectGlobalLoginAccount,
  inspectTenantLoginAccount,
  listGlobalLoginAccounts,
  listTenantLoginAccounts,
} from './login-account/manage-login-accounts.js';
import { loginGlobal, loginTenant, logout } from './login-account/login.js';
import { changeOwnPassword, resetPassword } from './user/change-passwords.js';
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  setUserRoles,
  updateUser,
} from './user/manage-users.js';
import { listUserApiKeys, revokeUserApiKey } from './user/user-api-keys.js';
import { revokeAllTokens } from './user/user-sessions.js';

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
