/** `revokeInvitation`: ends an invitation, and deactivates the account that it made. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { findInvitation } from '../invitation/invitation-store.js';
import { plannedChange, storeAccountChange } from '../user/change-account.js';
import { actorIdOf, managedUser } from '../user/managed-user.js';
import { changeEvents } from '../user/user-events.js';
import { invitationChanged } from './invitation-event.js';
import { revokeOffered } from './invited-credential.js';

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
