/**
 * The operations that open and close sessions of login accounts.
 *
 * Logs in to the platform: the login engine checks the password and opens a session whose token is
 * looked up on every call (docs/contract/login-accounts.md).
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ErrorCode } from '../../../contract/errors/catalogue.js';
import { examplePassword, exampleVersion } from '../../../contract/example-values.js';
import { OPAQUE_SESSION_MS, SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import {
  defineAccountOperation,
  definePublicOperation,
} from '../../../kernel/operation/define-operation.js';
import { accountChecks, inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { findAccount } from '../account/account-store.js';
import { showLoginAccount } from '../account/show-account.js';
import { checkLogin } from '../lockout/check-login.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { endSession, openSession } from '../session/open-session.js';
import { type AccountLogin, findLogin } from '../session/find-login.js';
import { GlobalLoginRequest, LoginRequest, LoginResponse, LogoutResponse } from './schema.js';

/** Shared by both logins. */
const loginErrors: readonly ErrorCode[] = [
  'invalid_request',
  'unsupported_contract_version',
  'invalid_login',
  'account_locked',
  'passwords_not_allowed',
  'revision_conflict',
  'login_busy',
  'storage_inconsistency',
];

/** Takes no tenant. */
export const loginGlobal = definePublicOperation({
  name: 'loginGlobal',
  summary: 'Log in to the installation with a password.',
  example: { document: { ...exampleVersion, username: 'root', password: examplePassword } },
  tag: 'Login accounts',
  ignoresProof: true,
  input: { document: GlobalLoginRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: LoginResponse,
  checks: inputFirstChecks,
  errors: loginErrors,
  handler: (request) => {
    const { username, password } = request.input.document;
    return openOpaqueSession(request, { authority: INSTALLATION, username, password });
  },
});

/** An unknown tenant is refused like an unknown name. */
export const loginTenant = definePublicOperation({
  name: 'loginTenant',
  summary: 'Log in to a tenant with a password.',
  example: {
    document: { ...exampleVersion, tenant_id: 'acme', username: 'ann', password: examplePassword },
  },
  tag: 'Login accounts',
  ignoresProof: true,
  input: { document: LoginRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: LoginResponse,
  checks: inputFirstChecks,
  errors: loginErrors,
  handler: (request) => {
    const { tenant_id: authority, username, password } = request.input.document;
    if (authority === undefined) {
      throw new AgentkeepError('invalid_request', {
        members: [{ path: 'tenant_id', expected: 'a value, since this member is required' }],
      });
    }
    return openOpaqueSession(request, { authority, username, password });
  },
});

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

/** A login request with the tenant part of the keys of its authority. */
interface PlatformLogin {
  readonly authority: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Opens an opaque session.
 *
 * @throws {AgentkeepError} the errors of the login engine.
 */
function openOpaqueSession(
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
