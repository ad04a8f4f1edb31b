/** `listUsers`: the accounts of an authority, a page at a time. */
import { setImmediate } from 'node:timers/promises';
import { accountsByName } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { showUser } from '../account/show-account.js';
import { TenantListParameters } from '../../../kernel/lists/account-lists.js';
import { type ListIdentity, decodeCursor, encodeCursor } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Transactions } from '../../../storage/store/store.js';
import { UserList } from './schema.js';

/** In byte order of usernames, without deleted accounts. */
export const listUsers = defineAccountOperation({
  name: 'listUsers',
  summary: 'List the accounts of the authority.',
  example: { parameters: {} },
  command: {
    name: 'people list',
    columns: ['id', 'username', 'roles', 'is_active', 'last_login', 'email'],
  },
  tag: 'Users',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: UserList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  isHeavy: true,
  handler: async ({ runtime, authority, input }) => {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'users', tenantId: authority };
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const found = await firstUsers(runtime.store, { authority, after, count: limit + 1 });
    const { items, next_cursor } = directoryPage(found, limit, showUser, (last) =>
      encodeCursor(identity, last.username),
    );
    return { users: items, next_cursor };
  },
});

/** Accounts of one transaction. An authority can have any number of deleted ones. */
const SLICE_ACCOUNTS = 256;

async function firstUsers(
  store: Transactions,
  { authority, after, count }: { authority: string; after: string | undefined; count: number },
): Promise<StoredAccount[]> {
  const found: StoredAccount[] = [];
  let last = after;
  for (;;) {
    const from = last;
    const slice: StoredAccount[] = await store.read((tx) =>
      accountsByName(tx, authority, from, SLICE_ACCOUNTS),
    );
    found.push(...slice.filter(({ deletedAtMillis }) => deletedAtMillis === null));
    last = slice.at(-1)?.username;
    if (slice.length < SLICE_ACCOUNTS || found.length >= count) return found.slice(0, count);
    // A read alone does not let other work run.
    await setImmediate();
  }
}
