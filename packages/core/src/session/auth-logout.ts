/**
 * `authLogout`: ends the session of the call.
 * @module
 */
import { keyOfAuthority } from '../access/authority.js';
import { SuccessResponse, succeeded } from '../directory/account-lists.js';
import { AgentkeepError } from '../errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../limits.js';
import { defineOperation } from '../runtime/operation.js';
import { loggedOut } from './session-events.js';
import { removeSession } from './session-store.js';

/** Ends a session with all its tokens; a body is not looked at. */
export const authLogout = defineOperation({
  name: 'authLogout',
  summary: 'Log out.',
  tag: 'Sessions',
  surface: 'account',
  input: {},
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX, presence: 'ignored' },
  output: SuccessResponse,
  requires: { party: 'session' },
  checks: ['authority', 'document'],
  errors: ['request_too_large'],
  async handler(request) {
    await request.runtime.store.transact((tx) => {
      const caller = request.confirmParty(tx);
      if (caller.kind !== 'account' || caller.presence.kind !== 'session') {
        throw new AgentkeepError('unauthorized');
      }
      const { sessionId: id } = caller.presence;
      const authority = keyOfAuthority(caller.authority);
      removeSession(tx, { authority, accountId: caller.id, id });
      request.record(tx, loggedOut(id));
    });
    return succeeded('The session has ended.');
  },
});
