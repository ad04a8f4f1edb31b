/**
 * `inspectGlobalLoginAccount`: an account of the installation.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { inspectLoginAccount } from './inspect-login-account.js';
import { ofInstallation } from './login-account-view.js';

/** See {@link inspectLoginAccount}. */
export const inspectGlobalLoginAccount = defineOperation({
  name: 'inspectGlobalLoginAccount',
  summary: 'Show one account of the installation, disabled ones included.',
  ...inspectLoginAccount(ofInstallation),
});
