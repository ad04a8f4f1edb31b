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
