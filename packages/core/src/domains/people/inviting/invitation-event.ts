/** Audit events of invitations (docs/contract/invitations.md#inv-18). */
import { timeText } from '../../../contract/schema/time.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { StoredInvitation } from '../invitation/invitation-store.js';

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
