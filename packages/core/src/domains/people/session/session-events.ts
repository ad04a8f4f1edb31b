/** Audit events of sessions and access tokens (docs/contract/audit.md). */
import { tenantIdOf } from '../../../kernel/access/principal.js';
import type { EventActor, EventSubject } from '../../../kernel/audit/call-events.js';
import type { StoredAccount } from '../account/stored-account.js';
import type { AuditMetadata } from '../../../kernel/audit/audit.js';
import type { StoredSession } from './session-store.js';

/** A session got a new access token. */
export function refreshed(jti: string, sessionId: string): EventSubject {
  return authentication('token_refresh', 'success', { jti, session_id: sessionId });
}

/** A refresh was refused for an invalid proof. */
export function refreshRefused(endpoint: string): EventSubject {
  const actor = { tenantId: null, userId: null, username: 'unknown' };
  return { ...authentication('token_refresh_failed', 'unauthorized', { endpoint }), actor };
}

/** A caller logged out. */
export function loggedOut(sessionId: string): EventSubject {
  return authentication('logout', 'success', { session_id: sessionId });
}

/** One session of an account was ended by it, or by an administrator. */
export function sessionEnded({ id, accountId }: StoredSession): EventSubject {
  return {
    type: 'session_ended',
    action: 'end_session',
    resource: `session:${id}`,
    result: 'success',
    metadata: { session_id: id, user_id: accountId },
  };
}

/** An access token was revoked. */
export function tokenRevoked(jti: string): EventSubject {
  return {
    type: 'token_revoked',
    action: 'revoke_token',
    resource: `jti:${jti}`,
    result: 'success',
    metadata: { jti, reason: 'logout' },
  };
}

/** All sessions of an account ended. The event is about the account, not the caller. */
export function allTokensRevoked(account: StoredAccount, metadata: AuditMetadata): EventSubject {
  return {
    type: 'all_tokens_revoked',
    action: 'revoke_all_tokens',
    resource: `user:${account.id}`,
    result: 'success',
    metadata,
    actor: actorOfAccount(account),
  };
}

/** An account as events name it. */
export function actorOfAccount({ authority, id, username }: StoredAccount): EventActor {
  return { tenantId: tenantIdOf(authority), userId: id, username };
}

function authentication(
  type: EventSubject['type'],
  result: EventSubject['result'],
  metadata: AuditMetadata,
): EventSubject {
  return { type, action: type, resource: 'authentication', result, metadata };
}
