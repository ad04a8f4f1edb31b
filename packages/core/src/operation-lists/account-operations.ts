/** Operations on accounts, their passwords and API keys. */
import { createApiKey, createApiKeyAlias } from '../people/api-key/create-api-key.js';
import { deleteApiKey, deleteApiKeyAlias } from '../people/api-key/delete-api-key.js';
import { listApiKeys, listApiKeysAlias } from '../people/api-key/list-api-keys.js';
import {
  changePasswordTenantLoginAccount,
  changePasswordGlobalLoginAccount,
  disableTenantLoginAccount,
  disableGlobalLoginAccount,
} from '../people/login-account/change-login-account.js';
import {
  createTenantLoginAccount,
  createGlobalLoginAccount,
} from '../people/login-account/create-login-account.js';
import {
  inspectTenantLoginAccount,
  inspectGlobalLoginAccount,
} from '../people/login-account/inspect-login-account.js';
import {
  listTenantLoginAccounts,
  listGlobalLoginAccounts,
} from '../people/login-account/list-login-accounts.js';
import { loginGlobal } from '../people/login-account/login-global.js';
import { loginTenant } from '../people/login-account/login-tenant.js';
import { logout } from '../people/login-account/logout.js';
import { changeOwnPassword } from '../people/user/change-own-password.js';
import { createUser } from '../people/user/create-user.js';
import { deleteUser } from '../people/user/delete-user.js';
import { getUser } from '../people/user/get-user.js';
import { listUserApiKeys } from '../people/user/list-user-api-keys.js';
import { listUsers } from '../people/user/list-users.js';
import { resetPassword } from '../people/user/reset-password.js';
import { revokeAllTokens } from '../people/user/revoke-all-tokens.js';
import { revokeUserApiKey } from '../people/user/revoke-user-api-key.js';
import { setUserRoles } from '../people/user/set-user-roles.js';
import { updateUser } from '../people/user/update-user.js';

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
