/**
 * `createTenantLoginAccount`: a person for the tenant of the caller.
 *
 * @module
 */
import { defineOperation } from '../../runtime/operation.js';
import { createLoginAccount } from './create-login-account.js';
import { ofTenant } from './login-account-view.js';

/** See {@link createLoginAccount}. */
export const createTenantLoginAccount = defineOperation({
  name: 'createTenantLoginAccount',
  summary: 'Make an account of the tenant that can log in.',
  ...createLoginAccount(ofTenant),
});
