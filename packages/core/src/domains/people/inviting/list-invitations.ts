/** `listInvitations`: the invitations of an authority that were not accepted. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { isUuid } from '../../../contract/schema/uuid.js';
import { refusal } from '../../../kernel/input/input.js';
import { TenantListParameters } from '../../../kernel/lists/account-lists.js';
import {
  decodeCursor,
  encodeCursor,
  type ListIdentity,
  staleCursor,
} from '../../../kernel/lists/cursor.js';
import { directoryPage } from '../../../kernel/lists/page.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { findAccount } from '../account/account-store.js';
import { listStoredInvitations } from '../invitation/invitation-store.js';
import { InvitationList } from '../invitation/schema.js';
import { showInvitation } from '../invitation/show-invitation.js';

/** In the order in which the accounts were made. */
export const listInvitations = defineAccountOperation({
  name: 'listInvitations',
  summary: 'List the invitations that were not accepted.',
  example: { parameters: {} },
  command: {
    name: 'people invitations',
    columns: ['user.id', 'user.username', 'role', 'state', 'expires_at'],
  },
  tag: 'Users',
  effect: 'read',
  input: { parameters: TenantListParameters },
  output: InvitationList,
  requires: { role: 'Admin' },
  checks: accountChecks,
  isHeavy: true,
  handler: ({ runtime, authority, input, nowMs }) => {
    const { limit, cursor } = input.parameters;
    const identity: ListIdentity = { list: 'invitations', tenantId: authority };
    const after = cursor === undefined ? undefined : accountIdIn(decodeCursor(identity, cursor));
    return runtime.store.read((tx) => {
      const found = listStoredInvitations(tx, authority, { after, limit: limit + 1 }).map(
        (invitation) => {
          const account = findAccount(tx, authority, invitation.accountId);
          if (account === undefined) throw new AgentkeepError('storage_inconsistency');
          return { invitation, account };
        },
      );
      const { items, next_cursor } = directoryPage(
        found,
        limit,
        ({ invitation, account }) => showInvitation(invitation, account, nowMs),
        ({ account }) => encodeCursor(identity, account.id),
      );
      return { invitations: items, next_cursor };
    });
  },
});

/** Returns the id in a cursor. Anyone can forge the digest of a cursor, so its form is checked. */
function accountIdIn(position: string): string {
  if (!isUuid(position)) throw refusal([staleCursor]);
  return position;
}
