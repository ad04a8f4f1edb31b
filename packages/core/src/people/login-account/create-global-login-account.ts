/**
 * `createGlobalLoginAccount`: a person for the installation.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { createLoginAccount } from './create-login-account.js';
import { ofInstallation } from './login-account-view.js';

/** See {@link createLoginAccount}. */
export const createGlobalLoginAccount = defineOperation({
  name: 'createGlobalLoginAccount',
  summary: 'Make an account of the installation that can log in.',
  ...createLoginAccount(ofInstallation),
});
