/**
 * `inspectTenantLoginAccount`: an account of the tenant of the caller.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { inspectLoginAccount } from './inspect-login-account.js';
import { ofTenant } from './login-account-view.js';

/** See {@link inspectLoginAccount}. */
export const inspectTenantLoginAccount = defineOperation({
  name: 'inspectTenantLoginAccount',
  summary: 'Show one account of the tenant, disabled ones included.',
  ...inspectLoginAccount(ofTenant),
});
