/**
 * `listGlobalLoginAccounts`: the accounts of the installation, a page at a time.
 *
 * @module
 */
import { listAccounts } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { DirectoryParameters } from '../../identity/credential/schema.js';
import { listDirectory } from '../../runtime/lists/list-directory.js';
import { defineOperation } from '../../runtime/operation.js';
import { isTextId } from '../../contract/schema/text.js';
import { ofInstallation } from './login-account-view.js';
import { DirectoryGlobalLoginAccountsResponse } from './schema.js';

/** A live, forward-only traversal in the order of JSON-encoded usernames. */
export const listGlobalLoginAccounts = defineOperation({
  name: 'listGlobalLoginAccounts',
  summary: 'List the accounts of the installation, disabled and deleted ones included.',
  effect: 'read',
  input: { parameters: DirectoryParameters },
  output: DirectoryGlobalLoginAccountsResponse,
  ...ofInstallation,
  checks: ['parameters', 'version', 'rules', 'authority'],
  errors: ['invalid_request', 'unsupported_contract_version', 'forbidden', 'page_too_large'],
  handler: ({ runtime, authority, input }) =>
    listDirectory(runtime.store, input.parameters, {
      binding: { list: 'login-accounts', tenantId: authority },
      read: (tx, page) => listAccounts(tx, authority, page),
      show: showLoginAccount,
      placeOf: ({ username }) => username,
      isPlace: isTextId,
    }),
});
