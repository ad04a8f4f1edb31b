/**
 * Logs in to the platform: the login engine checks the password and opens a session whose token is
 * looked up on every call (docs/contract/login-accounts.md).
 */
import { tenantIdOf } from '../../../kernel/access/authority.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { showLoginAccount } from '../account/show-account.js';
import { findAccount } from '../account/account-store.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { OPAQUE_SESSION_MS } from '../../../contract/limits.js';
import { checkLogin } from '../lockout/check-login.js';
import { loggedIn } from '../lockout/lockout-events.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { type AccountLogin, findLogin } from '../session/find-login.js';
import { openSession } from '../session/open-session.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import type { LoginResponse } from './schema.js';

/** A login request with the tenant part of the keys of its authority. */
export interface PlatformLogin {
  readonly authority: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Opens an opaque session.
 *
 * @throws {AgentkeepError} the errors of the login engine.
 */
export function openOpaqueSession(
  request: PublicRequest<InputSchemas>,
  { authority, username, password }: PlatformLogin,
): Promise<LoginResponse> {
  const { runtime, origin } = request;
  const kind = authority === INSTALLATION ? 'aksg1' : 'akst1';
  const sessionId = runtime.newId();
  const bytes = runtime.entropy.bytes(SECRET_BYTES);
  const verifier = verifierOf({ kind, bytes });
  return checkLogin(runtime, {
    authority,
    username,
    password,
    origin,
    find: (tx, nowMs) => findLogin(tx, { authority, username }, nowMs),
    succeed: (tx: WriteTx, found: AccountLogin, nowMs: number): LoginResponse => {
      const { accountId } = found;
      const draft = {
        id: sessionId,
        kind: 'opaque',
        verifier,
        lifeMs: lifeOf(found, nowMs),
      } as const;
      const session = openSession(tx, found, draft, nowMs);
      const actor = { tenantId: tenantIdOf(authority), userId: accountId, username };
      request.record(tx, { ...loggedIn('session', sessionId), actor, atMillis: nowMs });
      const account = findAccount(tx, authority, accountId);
      if (account === undefined) throw new AgentkeepError('storage_inconsistency');
      return {
        contract_version: CONTRACT_VERSION,
        session: {
          token: formatSecret({ kind, id: accountId, sessionId, bytes }),
          token_type: 'Bearer',
          expires_at_millis: session.expiresAtMillis,
          account: showLoginAccount(tx, account),
        },
      };
    },
  });
}

/** A session ends no later than the credential that it acts with. */
function lifeOf({ credential }: AccountLogin, nowMs: number): number {
  const end = credential?.spec.expires_at_millis ?? Infinity;
  return Math.min(OPAQUE_SESSION_MS, end - nowMs);
}
