/** `logout`: ends the session of the call, of either kind. */
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { endSession } from '../session/end-session.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { LogoutResponse } from './schema.js';

/** Ignores the body. Credentials and API keys have no session to end. */
export const logout = defineAccountOperation({
  name: 'logout',
  summary: 'Log out of the platform.',
  example: {},
  tag: 'Login accounts',
  input: {},
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX, presence: 'ignored' },
  whenFull: 'served',
  output: LogoutResponse,
  requires: { party: 'session' },
  checks: accountChecks,
  errors: ['revision_conflict'],
  handler: async (request) => {
    await endSession(request);
    return { contract_version: CONTRACT_VERSION, logged_out: true as const };
  },
});
