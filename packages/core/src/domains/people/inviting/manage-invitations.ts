/** The operations that list and revoke invitations, and make reset links. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { timeText } from '../../../contract/schema/time.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { refusal } from '../../../kernel/input/input.js';
import {
  succeeded,
  SuccessResponse,
  TenantListParameters,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
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
import { showUser } from '../account/show-account.js';
import { isActiveAccount } from '../account/stored-account.js';
import {
  findInvitation,
  listStoredInvitations,
  putResetLink,
  type StoredInvitation,
} from '../invitation/invitation-store.js';
import { CreateResetLinkRequest, InvitationList, ResetLink } from '../invitation/schema.js';
import { codeOf, showInvitation } from '../invitation/show-invitation.js';
import { allowsPasswords } from '../sign-in/settings-store.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { actorIdOf, managedUser } from '../user/managed-user.js';
import { changeEvents } from '../user/user-events.js';
import { revokeOffered } from './invited-credential.js';

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
      const stored = listStoredInvitations(tx, authority, { after, limit: limit + 1 });
      const found = allOrFirstFailure(stored, (invitation) => {
        const account = findAccount(tx, authority, invitation.accountId);
        if (account === undefined) throw new AgentkeepError('storage_inconsistency');
        return { invitation, account };
      });
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

/** The person can be invited again under the same name. */
export const revokeInvitation = defineAccountOperation({
  name: 'revokeInvitation',
  summary: 'Revoke an invitation: its link, its credential, and the account until a new one.',
  example: { id: exampleId, parameters: {} },
  command: {
    name: 'people revoke-invitation',
    examples: ['agentkeep people revoke-invitation <user-id>'],
  },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'last_admin'],
  handler: async (request) => {
    const { runtime, nowMs, input } = request;
    await runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const before = managedUser(tx, request, caller, input.id);
      const invitation = findInvitation(tx, before);
      if (invitation === undefined || invitation.verifier === null) {
        throw new AgentkeepError('target_not_found');
      }
      const record = (event: EventSubject): void => request.record(tx, event);
      const mark = { actorId: actorIdOf(caller), nowMs, record };
      revokeOffered(tx, invitation, mark);
      const planned = plannedChange(tx, before, { isActive: false }) ?? before;
      const after = storeAccountChange(tx, before, planned, mark);
      for (const event of changeEvents({ before, after })) record(event);
      record(invitationChanged(invitation, 'revoked'));
    });
    return succeeded(
      'The invitation is revoked, and its account is inactive. The person can be invited again.',
    );
  },
});

const HOUR_MS = 3_600_000;

/** Changes nothing of the account until the link is used. */
export const createResetLink = defineAccountOperation({
  name: 'createResetLink',
  summary: 'Make a link that sets a new password of an account, once.',
  example: { id: exampleId, parameters: {}, document: {} },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: CreateResetLinkRequest },
  output: ResetLink,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found', 'account_disabled', 'passwords_not_allowed'],
  handler: async (request) => {
    const { runtime, nowMs, authority, input } = request;
    const bytes = runtime.entropy.bytes(SECRET_BYTES);
    const expiresAtMillis = nowMs + input.document.valid_hours * HOUR_MS;
    return runtime.store.transact((tx) => {
      const account = managedUser(tx, request, request.confirm(tx), input.id);
      if (!isActiveAccount(account)) {
        const message = 'This account is not active, so no link sets its password.';
        throw new AgentkeepError('account_disabled', { message });
      }
      if (!allowsPasswords(tx, authority)) throw new AgentkeepError('passwords_not_allowed');
      putResetLink(tx, {
        ...{ authority, accountId: account.id, revision: account.revision, expiresAtMillis },
        verifier: verifierOf({ kind: 'aki1', bytes }),
      });
      const expires = timeText(expiresAtMillis);
      request.record(tx, {
        type: 'user_updated',
        action: 'user_updated',
        resource: `user:${account.id}`,
        result: 'success',
        metadata: { reset_link: 'created', expires_at: expires },
      });
      return { user: showUser(account), ...codeOf(account.id, bytes), expires_at: expires };
    });
  },
});

/** Returns the event of an invitation that was sent or revoked. */
export function invitationChanged(
  { accountId, role, expiresAtMillis }: StoredInvitation,
  invitation: 'sent' | 'revoked',
): EventSubject {
  const expires = invitation === 'sent' ? { expires_at: timeText(expiresAtMillis) } : {};
  return {
    type: 'user_updated',
    action: 'user_updated',
    resource: `user:${accountId}`,
    result: 'success',
    metadata: { invitation, role, ...expires },
  };
}
