/** `authLogin`: exchanges a password for an access token and a refresh token. */
import { examplePassword } from '../../../contract/example-values.js';
import { tenantIdOf } from '../../../kernel/access/authority.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import { JWT_SESSION_MS, SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { checkLogin } from '../lockout/check-login.js';
import { loggedIn } from '../lockout/lockout-events.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { issueAccessToken, newTokenId, secondsLeft, type SessionState } from './access-token.js';
import { findLogin } from './find-login.js';
import { openSession } from './open-session.js';
import { AuthLoginRequest, AuthLoginResponse } from './schema.js';

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
