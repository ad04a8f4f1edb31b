/** `listTenantLoginAccounts`, `listGlobalLoginAccounts`: a page of accounts. */
import { exampleVersion } from '../../../contract/example-values.js';
import { listAccounts } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { isTextId } from '../../../contract/schema/text.js';
import { directoryOperation } from '../../../kernel/operation/directory-operation.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { loginAccountOperations, type LoginAccountRequest } from './login-account-operation.js';

/** A live, forward-only traversal in the order of JSON-encoded usernames. */
export const { ofTenant: listTenantLoginAccounts, ofInstallation: listGlobalLoginAccounts } =
  loginAccountOperations(({ name, owner, list: output }) => ({
    ...directoryOperation,
    name: `list${name}LoginAccounts`,
    summary: `List the accounts of ${owner}, disabled and deleted ones included.`,
    example: { parameters: exampleVersion },
    command: {
      name: 'login-accounts list',
      columns: ['id', 'username', 'credential_id', 'revision', 'disabled_at_millis'],
    },
    output,
    handler: list,
  }));

function list({
  runtime,
  authority,
  input: { parameters },
}: LoginAccountRequest<typeof directoryOperation.input>) {
  return listDirectory(runtime.store, parameters, {
    identity: { list: 'login-accounts', tenantId: authority },
    read: (tx, page) => listAccounts(tx, authority, page),
    show: showLoginAccount,
    placeOf: ({ username }) => username,
    isPlace: isTextId,
  });
}
