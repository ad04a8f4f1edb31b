/**
 * `disableGlobalLoginAccount`: the end of an account of the installation.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { disableLoginAccount } from './disable-login-account.js';
import { ofInstallation } from './login-account-view.js';

/** See {@link disableLoginAccount}. */
export const disableGlobalLoginAccount = defineOperation({
  name: 'disableGlobalLoginAccount',
  summary: 'Disable an account of the installation for good.',
  ...disableLoginAccount(ofInstallation),
});
