/** `authLogout`: ends the session of the call. */
import { SuccessResponse, succeeded } from '../../../kernel/lists/account-lists.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { endSession } from './end-session.js';

/** Ends a session with all its tokens. Ignores the body. */
export const authLogout = defineAccountOperation({
  name: 'authLogout',
  summary: 'Log out.',
  example: {},
  tag: 'Sessions',
  input: {},
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX, presence: 'ignored' },
  whenFull: 'served',
  output: SuccessResponse,
  requires: { party: 'session' },
  checks: accountChecks,
  async handler(request) {
    await endSession(request);
    return succeeded('The session has ended.');
  },
});
