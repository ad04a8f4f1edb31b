/**
 * `changePasswordTenantLoginAccount`: a new password for an account of the tenant.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { changeLoginPassword } from './change-password.js';
import { ofTenant } from './login-account-view.js';

/** See {@link changeLoginPassword}. */
export const changePasswordTenantLoginAccount = defineOperation({
  name: 'changePasswordTenantLoginAccount',
  summary: 'Replace the password of an account of the tenant; its sessions end.',
  ...changeLoginPassword(ofTenant),
});
