/**
 * `changePasswordGlobalLoginAccount`: a new password for an account of the installation.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { changeLoginPassword } from './change-password.js';
import { ofInstallation } from './login-account-view.js';

/** See {@link changeLoginPassword}. */
export const changePasswordGlobalLoginAccount = defineOperation({
  name: 'changePasswordGlobalLoginAccount',
  summary: 'Replace the password of an account of the installation; its sessions end.',
  ...changeLoginPassword(ofInstallation),
});
