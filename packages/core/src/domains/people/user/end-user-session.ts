/** `endUserSession`: ends a session of the calling account, or of one that it manages. */
import { exampleId } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { uuid } from '../../../contract/schema/uuid.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { liveSessionsOf } from '../session/live-sessions.js';
import { EndSessionRequest } from '../session/schema.js';
import { sessionEnded } from '../session/session-events.js';
import { removeSession } from '../session/session-store.js';
import { ownOrManagedUser } from './managed-user.js';

/** A session of another account gives the same error as an unknown one, or one that has ended. */
export const endUserSession = defineAccountOperation({
  name: 'endUserSession',
  summary: 'End a session of an account; its tokens are refused from then on.',
  example: { id: exampleId, parameters: {}, document: { session_id: exampleId } },
  command: { name: 'people end-session' },
  tag: 'Users',
  input: { id: uuid(), parameters: TenantParameters, document: EndSessionRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    request.runtime.store.transact((tx) => {
      const { id, document } = request.input;
      const account = ownOrManagedUser(tx, request, request.confirm(tx), id);
      const session = liveSessionsOf(tx, account, request).find(
        (each) => each.id === document.session_id,
      );
      if (session === undefined) throw new AgentkeepError('target_not_found');
      removeSession(tx, session);
      request.record(tx, sessionEnded(session));
      return succeeded('The session has ended.');
    }),
});
