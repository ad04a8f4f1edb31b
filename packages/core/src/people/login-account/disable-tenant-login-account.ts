/**
 * `disableTenantLoginAccount`: the end of an account of the tenant.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { disableLoginAccount } from './disable-login-account.js';
import { ofTenant } from './login-account-view.js';

/** See {@link disableLoginAccount}. */
export const disableTenantLoginAccount = defineOperation({
  name: 'disableTenantLoginAccount',
  summary: 'Disable an account of the tenant for good.',
  ...disableLoginAccount(ofTenant),
});
