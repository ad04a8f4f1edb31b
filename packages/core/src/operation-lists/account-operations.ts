/** Operations on accounts, their passwords and API keys. */
import { createApiKey, createApiKeyAlias } from '../domains/people/api-key/create-api-key.js';
import { deleteApiKey, deleteApiKeyAlias } from '../domains/people/api-key/delete-api-key.js';
import { listApiKeys, listApiKeysAlias } from '../domains/people/api-key/list-api-keys.js';
import { acceptInvitation } from '../domains/people/inviting/accept-invitation.js';
import { inviteUser } from '../domains/people/inviting/invite-user.js';
import { listInvitations } from '../domains/people/inviting/list-invitations.js';
import { revokeInvitation } from '../domains/people/inviting/revoke-invitation.js';
import {
  changePasswordTenantLoginAccount,
  changePasswordGlobalLoginAccount,
  disableTenantLoginAccount,
  disableGlobalLoginAccount,
} from '../domains/people/login-account/change-login-account.js';
import {
  createTenantLoginAccount,
  createGlobalLoginAccount,
} from '../domains/people/login-account/create-login-account.js';
import {
  inspectTenantLoginAccount,
  inspectGlobalLoginAccount,
} from '../domains/people/login-account/inspect-login-account.js';
import {
  listTenantLoginAccounts,
  listGlobalLoginAccounts,
} from '../domains/people/login-account/list-login-accounts.js';
import { loginGlobal } from '../domains/people/login-account/login-global.js';
import { loginTenant } from '../domains/people/login-account/login-tenant.js';
import { logout } from '../domains/people/login-account/logout.js';
import { changeOwnPassword } from '../domains/people/user/change-own-password.js';
import { createUser } from '../domains/people/user/create-user.js';
import { deleteUser } from '../domains/people/user/delete-user.js';
import { getUser } from '../domains/people/user/get-user.js';
import { listUserApiKeys } from '../domains/people/user/list-user-api-keys.js';
import { listUsers } from '../domains/people/user/list-users.js';
import { resetPassword } from '../domains/people/user/reset-password.js';
import { revokeAllTokens } from '../domains/people/user/revoke-all-tokens.js';
import { revokeUserApiKey } from '../domains/people/user/revoke-user-api-key.js';
import { setUserRoles } from '../domains/people/user/set-user-roles.js';
import { updateUser } from '../domains/people/user/update-user.js';

/** These operations by name. */
export const accountOperations = {
  createUser,
  listUsers,
  getUser,
  updateUser,
  deleteUser,
  setUserRoles,
  inviteUser,
  listInvitations,
  revokeInvitation,
  acceptInvitation,
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
