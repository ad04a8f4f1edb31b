/** `revokeAllTokens`: ends every session of an account. */
import { SECRET_DOCUMENT_BYTES_MAX } from '../../contract/limits.js';
import { defineAccountOperation } from '../../runtime/define-operation.js';
import { countRevocations } from '../token/revocation-store.js';
import { managedUser } from './managed-user.js';
import { RevokeAllRequest, RevokeAllResponse } from '../session/schema.js';
import { allTokensRevoked } from '../session/session-events.js';
import { removeSessions } from '../session/session-store.js';

const REASON_DEFAULT = 'admin_revoke';

/** Ends the sessions that an account has now, and none that it opens later. */
export const revokeAllTokens = defineAccountOperation({
  name: 'revokeAllTokens',
  summary: 'End every session of an account.',
  tag: 'Sessions',
  input: { document: RevokeAllRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: RevokeAllResponse,
  requires: { role: 'Admin' },
  checks: ['authority', 'document', 'rules'],
  errors: ['forbidden', 'target_not_found'],
  async handler(request) {
    const { runtime } = request;
    const { user_id: id, reason = REASON_DEFAULT } = request.input.document;
    await runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const account = managedUser(tx, request, caller, id);
      removeSessions(tx, account.authority, account.id);
      request.record(
        tx,
        allTokensRevoked(account, {
          reason,
          previously_revoked_count: countRevocations(tx, account.id),
          revoked_by_admin_id: caller.id,
        }),
      );
    });
    return { success: true as const, message: 'All sessions have ended.', user_id: id };
  },
});
