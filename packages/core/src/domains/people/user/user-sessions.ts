/** The operations on sessions of a user. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId } from '../../../contract/example-values.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { timeText } from '../../../contract/schema/time.js';
import { uuid } from '../../../contract/schema/uuid.js';
import type { Principal } from '../../../kernel/access/principal.js';
import {
  succeeded,
  SuccessResponse,
  TenantParameters,
} from '../../../kernel/lists/account-lists.js';
import { defineAccountOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import { useLog } from '../../../kernel/services/use-log.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { boundCredential, isBindingLive } from '../account/account-principal.js';
import { isActiveAccount, type StoredAccount } from '../account/stored-account.js';
import { removeApiKeysOf } from '../api-key/api-key-store.js';
import { apiKeyRevokedOf } from '../api-key/manage-api-keys.js';
import { endConnectionsOf } from '../connection/manage-connections.js';
import { lastUseOf, sessionIdleMs } from '../session/idle-limit.js';
import {
  EndSessionRequest,
  RevokeAllRequest,
  RevokeAllResponse,
  type UserSession,
  UserSessionList,
} from '../session/schema.js';
import { allTokensRevoked, sessionEnded } from '../session/session-events.js';
import { isIdle, isLiveSession, pinOf } from '../session/session-policy.js';
import {
  removeSession,
  removeSessions,
  sessionsOf,
  type StoredSession,
} from '../session/session-store.js';
import { countRevocations } from '../token/revocation-store.js';
import { managedUser, ownOrManagedUser } from './managed-user.js';

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
    request.runtime.store.read((tx) => {
      const account = ownOrManagedUser(tx, request, request.principal, request.input.id);
      const live = liveSessionsOf(tx, account, request).toReversed();
      return { sessions: live.map((session) => showSession(session, request)) };
    }),
});

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

/** The parts of a call that decide which sessions are live. */
interface LiveParts {
  readonly runtime: Pick<Runtime, 'ports'>;
  readonly nowMs: number;
}

/** Returns the sessions of an account that a call could be made in now, in order of login. */
function liveSessionsOf(
  tx: ReadTx,
  account: StoredAccount,
  { runtime, nowMs }: LiveParts,
): StoredSession[] {
  const credential = boundCredential(tx, account);
  if (!isActiveAccount(account) || !isBindingLive(account, credential, nowMs)) return [];
  const bound = pinOf(credential);
  const [uses, idleMs] = [useLog.of(runtime), sessionIdleMs.of(runtime)];
  const isUsed = (session: StoredSession): boolean =>
    session.kind === 'opaque' || !isIdle(lastUseOf(uses, session), idleMs, nowMs);
  return sessionsOf(tx, account.authority, account.id).filter(
    (session) => isLiveSession(session, bound, nowMs) && isUsed(session),
  );
}

/** Returns a session without its secrets. */
function showSession(
  session: StoredSession,
  { runtime, principal }: LiveParts & { readonly principal: Principal },
): UserSession {
  const { id, kind, signIn } = session;
  // Calls are noted only where a limit needs it; an older time would look like a pause.
  const hasUse = kind === 'jwt' && sessionIdleMs.of(runtime) !== 0;
  const { subject } = principal.held;
  return {
    session_id: id,
    kind,
    issuer: signIn?.issuer ?? null,
    created_at: timeText(session.createdAtMillis),
    expires_at: timeText(session.expiresAtMillis),
    last_used: hasUse ? timeText(lastUseOf(useLog.of(runtime), session)) : null,
    is_current: subject.kind === 'session' && subject.sessionId === id,
  };
}
