/** Ends the session that a call was made in. */
import { keyOfAuthority } from '../../../kernel/access/authority.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { AccountRequest } from '../../../kernel/operation/requests.js';
import { loggedOut } from './session-events.js';
import { removeSession } from './session-store.js';

/**
 * Ends the session with all its tokens.
 *
 * @throws {AgentkeepError} `unauthorized` when it has ended since the call began.
 */
export function endSession(request: AccountRequest<InputSchemas>): Promise<void> {
  return request.runtime.store.transact((tx) => {
    const caller = request.confirm(tx);
    if (caller.kind !== 'account' || caller.presence.kind !== 'session') {
      throw new AgentkeepError('unauthorized');
    }
    const { sessionId: id } = caller.presence;
    removeSession(tx, {
      authority: keyOfAuthority(caller.authority),
      accountId: caller.id,
      id,
    });
    request.record(tx, loggedOut(id));
  });
}
