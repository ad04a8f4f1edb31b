/** `listUsers`: the accounts of an authority, a page at a time. */
import { accountsByName } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { showUser } from '../account/show-account.js';
import { TenantListParameters } from '../../runtime/lists/account-lists.js';
import { type ListIdentity, decodeCursor, encodeCursor } from '../../runtime/lists/cursor.js';
import { directoryPage } from '../../runtime/lists/page.js';
import { defineAccountOperation } from '../../runtime/define-operation.js';
import type { ReadTx } from '../../storage/store/store.js';
import { UserList } from './schema.js';

/** In byte order of usernames, without deleted accounts. */
export const listUsers = defineAccountOperation({
  name: 'listUsers',
  summary: 'List the accounts of the authority.',
  tag: 'Users',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: UserList,
  requires: { role: 'Admin' },
  checks: ['authority', 'parameters', 'rules', 'tenant'],
  errors: ['invalid_request', 'forbidden', 'tenant_not_found'],
  isHeavy: true,
  handler: ({ runtime, authority, input }) => {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'users', tenantId: authority };
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    return runtime.store.read((tx) => {
      const found = firstUsers(tx, authority, after, limit + 1);
      const { items, next_cursor } = directoryPage(found, limit, showUser, (last) =>
        encodeCursor(identity, last.username),
      );
      return { users: items, next_cursor };
    });
  },
});

function firstUsers(
  tx: ReadTx,
  authority: string,
  after: string | undefined,
  count: number,
): StoredAccount[] {
  const found: StoredAccount[] = [];
  for (const account of accountsByName(tx, authority, after)) {
    if (account.deletedAtMillis === null) found.push(account);
    if (found.length === count) break;
  }
  return found;
}
