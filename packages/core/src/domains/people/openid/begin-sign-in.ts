/** `beginSignIn`: says where to send a person who signs in by an issuer. */
import { signIns } from '../../../kernel/ports/sign-in-protocol.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { SECRET_DOCUMENT_BYTES_MAX } from '../../../contract/limits.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { SIGN_IN_MS } from '../sign-in/sign-in-limits.js';
import { attemptText, roundOf } from './attempt.js';
import { BeginSignInRequest, BeginSignInResponse } from './schema.js';
import { signInRefused } from './sign-in-events.js';
import { findSignInIssuer, trustOf } from './sign-in-issuer.js';

const RANDOM_BYTES = 32;

/** Stores nothing. */
export const beginSignIn = definePublicOperation({
  name: 'beginSignIn',
  summary: 'Begin to sign in by an issuer.',
  example: {
    document: {
      tenant_id: 'acme',
      issuer: 'staff',
      redirect_uri: 'https://memory.example.com/login/openid/callback',
    },
  },
  tag: 'Sign-in',
  effect: 'read',
  ignoresProof: true,
  input: { document: BeginSignInRequest },
  document: { bytesMax: SECRET_DOCUMENT_BYTES_MAX },
  output: BeginSignInResponse,
  checks: accountChecks,
  errors: ['issuer_not_found', 'issuer_unavailable', 'storage_inconsistency'],
  async handler(request) {
    const { runtime, nowMs } = request;
    const {
      tenant_id: tenantId = null,
      issuer,
      redirect_uri: redirectUri,
    } = request.input.document;
    const found = await runtime.store.read((tx) =>
      findSignInIssuer(tx, tenantId ?? INSTALLATION, issuer),
    );
    if (found === undefined) throw new AgentkeepError('issuer_not_found');
    const random = Buffer.from(runtime.entropy.bytes(RANDOM_BYTES)).toString('base64url');
    const endsAtMillis = nowMs + SIGN_IN_MS;
    const attempt = attemptText({ tenantId, issuer, redirectUri, endsAtMillis, random });
    const round = roundOf(attempt, redirectUri, found.settings.key);
    const address = await signIns.of(runtime).addressFor(trustOf(found), round);
    if (address.kind === 'unavailable') {
      request.observe(signInRefused(issuer, address.reason));
      throw new AgentkeepError('issuer_unavailable');
    }
    return { authorization_url: address.url, attempt, expires_in: SIGN_IN_MS / 1_000 };
  },
});
