/** `listUserSessions`: the live sessions of the calling account, or of one that it manages. */
import { exampleId } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { readAtOnce } from '../../../storage/store/read-at-once.js';
import { liveSessionsOf, showSession } from '../session/live-sessions.js';
import { UserSessionList } from '../session/schema.js';
import { ownOrManagedUser } from './managed-user.js';

/** Newest first. Their number is bounded, so there are no pages. */
export const listUserSessions = defineAccountOperation({
  name: 'listUserSessions',
  summary: 'List the live sessions of an account, newest first.',
  example: { id: exampleId, parameters: {} },
  command: {
    name: 'people sessions',
    columns: ['session_id', 'kind', 'created_at', 'last_used', 'expires_at', 'is_current'],
  },
  tag: 'Users',
  effect: 'read',
  input: { id: uuid(), parameters: TenantParameters },
  output: UserSessionList,
  requires: { party: 'self' },
  checks: accountChecks,
  errors: ['target_not_found'],
  handler: (request) =>
    readAtOnce(request.runtime.store, (tx) => {
      const account = ownOrManagedUser(tx, request, request.principal, request.input.id);
      const live = liveSessionsOf(tx, account, request).toReversed();
      return { sessions: live.map((session) => showSession(session, request)) };
    }),
});
