/** `listLockouts`: the names of an authority that are locked now. */
import { TenantListParameters } from '../../../kernel/lists/account-lists.js';
import { type ListIdentity, decodeCursor, encodeCursor } from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readLockedNames } from './read-lockouts.js';
import { LockoutList } from './schema.js';

/** Lists the locked names in byte order, without expired locks. */
export const listLockouts = defineAccountOperation({
  name: 'listLockouts',
  summary: 'List the names that are locked.',
  example: { parameters: {} },
  command: {
    name: 'lockouts list',
    columns: [
      { header: 'USERNAME', path: '0' },
      '1.failed_attempts',
      '1.lockout_expires',
      '1.lockout_reason',
    ],
  },
  tag: 'Lockouts',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: LockoutList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  isHeavy: true,
  async handler({ runtime, input, authority }) {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'lockouts', tenantId: authority };
    const after = cursor === undefined ? undefined : decodeCursor(identity, cursor);
    const names = await readLockedNames(runtime, authority, { after, limit: limit + 1 });
    const { items, next_cursor } = directoryPage(
      names,
      limit,
      (row) => row,
      ([name]) => encodeCursor(identity, name),
    );
    return { count: items.length, locked_users: items, next_cursor };
  },
});
