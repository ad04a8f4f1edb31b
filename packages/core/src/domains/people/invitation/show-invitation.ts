/** Shows an invitation, and the code and the page of a new one. */
import { formatSecret } from '../../../kernel/access/secret.js';
import { timeText } from '../../../contract/schema/time.js';
import { showUser } from '../account/show-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import type { StoredInvitation } from './invitation-store.js';
import type { InvitedRole } from './invited-role.js';
import type { Invitation } from './schema.js';

/** The page where a person sets a password. */
const INVITATION_PAGE = '/invitation';

/** Returns an invitation as administrators see it. */
export function showInvitation(
  { verifier, role, invitedBy, createdAtMillis, expiresAtMillis }: StoredInvitation,
  account: StoredAccount,
  nowMs: number,
): Invitation {
  const isOver = nowMs >= expiresAtMillis;
  return {
    user: showUser(account),
    role: role as InvitedRole,
    state: verifier === null ? 'revoked' : isOver ? 'expired' : 'waiting',
    invited_by: invitedBy,
    created_at: timeText(createdAtMillis),
    expires_at: timeText(expiresAtMillis),
  };
}

/** Returns the code of an invitation, and the path that leads to its page. */
export function codeOf(accountId: string, bytes: Uint8Array): { code: string; path: string } {
  const code = formatSecret({ kind: 'aki1', id: accountId, bytes });
  return { code, path: `${INVITATION_PAGE}?code=${code}` };
}
