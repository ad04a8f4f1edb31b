/** `revokeToken`: revokes an access token for its holder. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { addRevocation } from '../token/revocation-store.js';
import { RevokeRequest, RevokeResponse } from './schema.js';
import { tokenRevoked } from './session-events.js';

/** Adds an access token to the revocation list; may be repeated. */
export const revokeToken = definePublicOperation({
  name: 'revokeToken',
  summary: 'Revoke one access token.',
  example: { document: { token: 'eyJ…' } },
  tag: 'Sessions',
  input: { document: RevokeRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: RevokeResponse,
  checks: accountChecks,
  errors: ['invalid_token', 'storage_inconsistency'],
  async handler(request) {
    const { runtime, nowMs } = request;
    const stated = await runtime.tokens.verify(request.input.document.token, nowMs);
    if (stated?.kind !== 'session') throw new AgentkeepError('invalid_token');
    const { jti, accountId, tenantId, username } = stated;
    const revoked = {
      jti,
      accountId,
      username,
      revokedAtMillis: nowMs,
      expiresAtMillis: stated.expiresAtSecs * 1_000,
      reason: 'logout',
    };
    const actor = { tenantId, userId: accountId, username };
    await runtime.store.transact((tx) => {
      if (addRevocation(tx, revoked)) request.record(tx, { ...tokenRevoked(jti), actor });
    });
    return { success: true as const, message: 'The token is refused from now on.', jti };
  },
});
