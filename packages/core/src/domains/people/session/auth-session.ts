/** The operations that log in, refresh a session, log out and revoke tokens. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { examplePassword } from '../../../contract/example-values.js';
import { JWT_SESSION_MS, SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import {
  HeldProof,
  type ReadEffects,
  readWithEffects,
  tenantIdOf,
} from '../../../kernel/access/principal.js';
import {
  formatSecret,
  parseSecret,
  sameVerifier,
  SECRET_BYTES,
  verifierOf,
} from '../../../kernel/access/secret.js';
import { proofUsed, refusedProof } from '../../../kernel/audit/call-events.js';
import { succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import {
  defineAccountOperation,
  definePublicOperation,
} from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findAccount, locateAccount } from '../account/account-store.js';
import { checkLogin } from '../lockout/check-login.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { addRevocation } from '../token/revocation-store.js';
import { issueAccessToken, newTokenId, secondsLeft, type SessionState } from './access-token.js';
import { findLogin } from './find-login.js';
import { endSession, openSession } from './open-session.js';
import {
  AuthLoginRequest,
  AuthLoginResponse,
  RefreshRequest,
  RefreshResponse,
  RevokeRequest,
  RevokeResponse,
} from './schema.js';
import { actorOfAccount, refreshed, refreshRefused, tokenRevoked } from './session-events.js';
import { findSession, putSession } from './session-store.js';

const input = { document: RefreshRequest };

type RefreshCall = PublicRequest<typeof input>;
type LiveSession = Pick<SessionState, 'account' | 'session'>;

/** The key of a session. */
interface SessionKey {
  readonly authority: string;
  readonly accountId: string;
  readonly sessionId: string;
}

/** Gives a session a new access token; the old one stays valid until it expires. */
export const authRefresh = definePublicOperation({
  name: 'authRefresh',
  summary: 'Get a new access token for a session.',
  example: { document: { refresh_token: 'akr1_…' } },
  tag: 'Sessions',
  input,
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX, presence: 'optional' },
  output: RefreshResponse,
  checks: accountChecks,
  errors: ['unauthorized', 'subject_blocked', 'storage_inconsistency'],
  async handler(request) {
    const { runtime, caller, nowMs } = request;
    const { refresh_token: refreshToken } = request.input.document;
    const jti = newTokenId(runtime);
    const find = (tx: ReadTx, effects?: ReadEffects): LiveSession | undefined =>
      refreshToken === undefined
        ? sessionOfCaller(tx, request, effects)
        : sessionOfToken(tx, request, { refreshToken, jti }, effects);
    const hasToken = refreshToken !== undefined;
    // Read first: a caller without a valid proof must not cause a write.
    const found = await readWithEffects(runtime.store, find);
    if (found === undefined) throw refused(request, hasToken);
    // Get the key first: a failure must not leave a refresh in the audit log.
    await runtime.tokens.publicKeys();
    const state = await runtime.store.transact((tx): SessionState | undefined => {
      const live = find(tx);
      if (live === undefined) return undefined;
      const { account, session } = live;
      putSession(tx, { ...session, lastUsedMillis: nowMs });
      request.record(tx, { ...refreshed(jti, session.id), actor: actorOfAccount(account) });
      return { account, session, nowMs };
    });
    if (state === undefined) throw refused(request, hasToken);
    // The kernel records this for operations that need a proof.
    if (refreshToken === undefined && caller?.kind === 'account') {
      request.observe(proofUsed(caller.presence));
    }
    const { token, expiresInSecs } = await issueAccessToken(runtime, state, jti);
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: expiresInSecs,
      refresh_expires_in: secondsLeft(state),
    };
  },
});

/** Returns the session of a refresh token, if an access token of it would be valid. */
function sessionOfToken(
  tx: ReadTx,
  { runtime, nowMs }: RefreshCall,
  { refreshToken, jti }: { readonly refreshToken: string; readonly jti: string },
  effects: ReadEffects | undefined,
): LiveSession | undefined {
  const secret = parseSecret(refreshToken);
  if (secret?.kind !== 'akr1' || secret.sessionId === undefined) return undefined;
  const { authority } = locateAccount(tx, secret.id) ?? {};
  if (authority === undefined) return undefined;
  const key = { authority, accountId: secret.id, sessionId: secret.sessionId };
  const session = findSession(tx, authority, secret.id, secret.sessionId);
  if (session === undefined || !sameVerifier(session.verifier, verifierOf(secret))) {
    return undefined;
  }
  const token = { jti, expiresAtSecs: Number.POSITIVE_INFINITY };
  const held = new HeldProof({ kind: 'session', ...key, token });
  return runtime.authenticate(tx, held, nowMs, effects) && liveSession(tx, key);
}

/** Returns the session of the access token that the caller authenticated with. */
function sessionOfCaller(
  tx: ReadTx,
  { runtime, caller, nowMs }: RefreshCall,
  effects: ReadEffects | undefined,
): LiveSession | undefined {
  const { held } = (caller && runtime.authenticate(tx, caller.held, nowMs, effects)) ?? {};
  if (held?.subject.kind !== 'session' || held.subject.token === null) return undefined;
  return liveSession(tx, held.subject);
}

/** Returns the stored state of a session that was found valid. */
function liveSession(
  tx: ReadTx,
  { authority, accountId, sessionId }: SessionKey,
): LiveSession | undefined {
  const account = findAccount(tx, authority, accountId);
  const session = findSession(tx, authority, accountId, sessionId);
  return account && session && { account, session };
}

/**
 * Returns the refusal and records it, for the refresh token or else for each proof that was sent.
 */
function refused(request: RefreshCall, hasRefreshToken: boolean): AgentkeepError {
  const { path } = request.origin;
  if (hasRefreshToken) request.observe(refreshRefused(path));
  else for (const proof of request.attempted) request.observe(refusedProof(proof, path));
  return new AgentkeepError('unauthorized');
}

/** Opens a session of an account. The refusal doesn't reveal what was wrong. */
export const authLogin = definePublicOperation({
  name: 'authLogin',
  summary: 'Log in with a password.',
  example: { document: { username: 'ann', password: examplePassword, tenant_id: 'acme' } },
  tag: 'Sessions',
  ignoresProof: true,
  input: { document: AuthLoginRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: AuthLoginResponse,
  checks: accountChecks,
  errors: [
    'invalid_login',
    'account_locked',
    'passwords_not_allowed',
    'login_busy',
    'storage_inconsistency',
  ],
  async handler(request) {
    const { runtime, origin } = request;
    const { username, password, tenant_id: tenantId } = request.input.document;
    const name = { authority: tenantId ?? INSTALLATION, username };
    const id = runtime.newId();
    const bytes = runtime.entropy.bytes(SECRET_BYTES);
    const verifier = verifierOf({ kind: 'akr1', bytes });
    const draft = { id, kind: 'jwt', verifier, lifeMs: JWT_SESSION_MS } as const;
    const state = await checkLogin(runtime, {
      ...name,
      password,
      origin,
      find: (tx, nowMs) => findLogin(tx, name, nowMs),
      // Get the key first: a failure must not leave a session that was never delivered.
      prepare: async () => {
        await runtime.tokens.publicKeys();
      },
      succeed: (tx, found, nowMs): SessionState => {
        const session = openSession(tx, found, draft, nowMs);
        const actor = { tenantId: tenantIdOf(name.authority), userId: found.accountId, username };
        request.record(tx, { ...loggedIn('jwt', id), actor, atMillis: nowMs });
        return { account: found.account, session, nowMs };
      },
    });
    const { token, expiresInSecs } = await issueAccessToken(runtime, state, newTokenId(runtime));
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: expiresInSecs,
      refresh_token: formatSecret({ kind: 'akr1', id: state.account.id, sessionId: id, bytes }),
      refresh_expires_in: secondsLeft(state),
      user_id: state.account.id,
      username,
    };
  },
});

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
