/** `revokeAllTokens`: ends every session of an account. */
import { exampleId } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { apiKeyRevokedOf } from '../api-key/manage-api-keys.js';
import { endConnectionsOf } from '../connection/manage-connections.js';
import { removeApiKeysOf } from '../api-key/api-key-store.js';
import { TenantParameters } from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { countRevocations } from '../token/revocation-store.js';
import { managedUser } from './managed-user.js';
import { RevokeAllRequest, RevokeAllResponse } from '../session/schema.js';
import { allTokensRevoked } from '../session/session-events.js';
import { removeSessions } from '../session/session-store.js';

const REASON_DEFAULT = 'admin_revoke';

/** The reason for which API keys end too, unless the call says otherwise. */
const SECURITY_INCIDENT = 'security_incident';

/**
 * Ends the present sessions of an account, and none that it opens later. Ends its API keys too if
 * the call says so.
 */
export const revokeAllTokens = defineAccountOperation({
  name: 'revokeAllTokens',
  summary: 'End every session of an account.',
  example: { parameters: {}, document: { user_id: exampleId, reason: 'A laptop was lost.' } },
  command: {
    name: 'people end-sessions',
    examples: ['agentkeep people end-sessions --user-id <id> --include-api-keys true'],
  },
  tag: 'Sessions',
  input: { parameters: TenantParameters, document: RevokeAllRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  whenFull: 'served',
  output: RevokeAllResponse,
  requires: { role: 'Admin' },
  checks: accountChecks,
  errors: ['target_not_found'],
  async handler(request) {
    const { runtime } = request;
    const { user_id: id, reason = REASON_DEFAULT, include_api_keys } = request.input.document;
    const includesKeys = include_api_keys ?? reason === SECURITY_INCIDENT;
    await runtime.store.transact((tx) => {
      const caller = request.confirm(tx);
      const account = managedUser(tx, request, caller, id);
      removeSessions(tx, account.authority, account.id);
      const { authority, id: accountId } = account;
      const keyIds = includesKeys ? removeApiKeysOf(tx, { authority, accountId }) : [];
      for (const keyId of keyIds) request.record(tx, apiKeyRevokedOf(keyId, accountId));
      const owner = { tenantId: authority, accountId };
      const ending = { actorId: caller.credential?.id ?? caller.id, nowMs: request.nowMs };
      const ended = includesKeys ? endConnectionsOf(tx, owner, ending) : [];
      for (const event of ended) request.record(tx, event);
      request.record(
        tx,
        allTokensRevoked(account, {
          reason,
          previously_revoked_count: countRevocations(tx, account.id),
          revoked_by_admin_id: caller.id,
          ...(includesKeys ? { include_api_keys: true } : {}),
        }),
      );
    });
    return { success: true as const, message: 'All sessions have ended.', user_id: id };
  },
});
