/**
 * The operations that begin and complete a sign-in at an issuer. A sign-in under way is a text that
 * its caller keeps. State, nonce and PKCE verifier are derived from it with a key of the settings,
 * so that nothing is stored and nothing in it can be changed.
 */
import { Buffer } from 'node:buffer';
import { timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { hmacSha256 } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import {
  INTEGER_MAX,
  JWT_SESSION_MS,
  SECRET_DOCUMENT_BYTES_MAX,
} from '../../../contract/limits.js';
import { integer } from '../../../contract/schema/number.js';
import { textId } from '../../../contract/schema/text.js';
import { formatSecret, SECRET_BYTES, verifierOf } from '../../../kernel/access/secret.js';
import type { EventActor } from '../../../kernel/audit/call-events.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { type SignInRound, signIns } from '../../../kernel/ports/sign-in-protocol.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { issueAccessToken, newTokenId, secondsLeft } from '../session/access-token.js';
import { AuthLoginResponse } from '../session/schema.js';
import { plainUrl } from '../sign-in/schema.js';
import { COMPLETE_SIGN_IN_BYTES_MAX, SIGN_IN_MS } from '../sign-in/sign-in-limits.js';
import { actorOfRefused, prepareSignIn, signIn, SignInRefusal } from './open-sign-in.js';
import { personOf, type ProvedPerson } from './proved-person.js';
import { BeginSignInRequest, BeginSignInResponse, CompleteSignInRequest } from './schema.js';
import { signInRefused } from './sign-in-events.js';
import { findSignInIssuer, type NamedIssuer, trustOf } from './sign-in-issuer.js';

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

type Request = PublicRequest<{ readonly document: typeof CompleteSignInRequest }>;

/** Opens a session of the account that the issuer and its `sub` are linked to. */
export const completeSignIn = definePublicOperation({
  name: 'completeSignIn',
  summary: 'Complete a sign-in by an issuer.',
  example: { document: { attempt: 'eyJ…', callback: 'code=…&state=…&iss=…' } },
  tag: 'Sign-in',
  ignoresProof: true,
  input: { document: CompleteSignInRequest },
  document: { bytesMax: COMPLETE_SIGN_IN_BYTES_MAX },
  output: AuthLoginResponse,
  checks: accountChecks,
  errors: ['sign_in_refused', 'issuer_unavailable', 'login_busy', 'storage_inconsistency'],
  async handler(request: Request) {
    const { runtime } = request;
    const person = await provedPerson(request);
    const id = runtime.newId();
    const bytes = runtime.entropy.bytes(SECRET_BYTES);
    const verifier = verifierOf({ kind: 'akr1', bytes });
    const draft = { id, kind: 'jwt', verifier, lifeMs: JWT_SESSION_MS } as const;
    const prepared = await prepareSignIn(runtime, person);
    // Get the key first: a failure must not leave a session that was never delivered.
    await runtime.tokens.publicKeys();
    const nowMs = runtime.clock.now();
    const { account, session } = await runtime.store
      .transact((tx) => signIn(tx, request, { ...prepared, draft, nowMs }))
      .catch(async (error: unknown) => {
        if (!(error instanceof SignInRefusal)) throw error;
        const actor = await runtime.store.read((tx) => actorOfRefused(tx, person));
        throw refuse(request, person.issuer.name, error.reason, actor);
      });
    const state = { account, session, nowMs };
    const { token, expiresInSecs } = await issueAccessToken(runtime, state, newTokenId(runtime));
    return {
      access_token: token,
      token_type: 'Bearer' as const,
      expires_in: expiresInSecs,
      refresh_token: formatSecret({ kind: 'akr1', id: account.id, sessionId: id, bytes }),
      refresh_expires_in: secondsLeft(state),
      user_id: account.id,
      username: account.username,
    };
  },
});

/** Returns the person that the issuer vouches for, or refuses. */
async function provedPerson(request: Request): Promise<ProvedPerson> {
  const { runtime, nowMs } = request;
  const { attempt: text, callback } = request.input.document;
  const { attempt, found } = await begun(request);
  const { issuer: name, redirectUri, endsAtMillis } = attempt;
  const round = roundOf(text, redirectUri, found.settings.key);
  const state = new URLSearchParams(callback).getAll('state');
  // Only a caller that has begun the attempt under these settings has its state.
  if (state.length !== 1 || !isSameState(round.state, state[0] ?? null)) {
    throw refuse(request, name, 'state');
  }
  if (nowMs >= endsAtMillis) throw refuse(request, name, 'expired');
  const asking = { ...round, asker: request.origin.ipAddress ?? undefined };
  const proof = await signIns.of(runtime).redeem(trustOf(found), asking, callback, nowMs);
  if (proof.kind === 'unavailable') {
    request.observe(signInRefused(name, proof.reason));
    throw new AgentkeepError('issuer_unavailable');
  }
  if (proof.kind === 'refused') throw refuse(request, name, proof.reason);
  const person = personOf(found, proof.claims, { name: ['attempt', text], endsAtMillis });
  if (person === undefined) throw refuse(request, name, 'claims');
  return person;
}

async function begun(request: Request): Promise<{ attempt: Attempt; found: NamedIssuer }> {
  const attempt = readAttempt(request.input.document.attempt);
  if (attempt === undefined) throw refuse(request, undefined, 'attempt');
  const { tenantId, issuer: name } = attempt;
  const found = await request.runtime.store.read((tx) =>
    findSignInIssuer(tx, tenantId ?? INSTALLATION, name),
  );
  if (found === undefined) throw refuse(request, name, 'issuer');
  return { attempt, found };
}

function refuse(
  request: Request,
  issuer: string | undefined,
  reason: string,
  actor?: EventActor,
): AgentkeepError {
  request.observe(signInRefused(issuer, reason, actor));
  return new AgentkeepError('sign_in_refused');
}

/** What a sign-in was begun with. */
export interface Attempt {
  /** Tenant id, or null for the installation. */
  readonly tenantId: string | null;
  /** Name of the issuer. */
  readonly issuer: string;
  readonly redirectUri: string;
  /** In Unix milliseconds. */
  readonly endsAtMillis: number;
  /** Unpredictable. */
  readonly random: string;
}

const Members = v.strictTuple([
  v.nullable(textId()),
  textId(),
  plainUrl(),
  integer(0, INTEGER_MAX),
  v.string(),
]);

/** Returns the text of an attempt. */
function attemptText(attempt: Attempt): string {
  const { tenantId, issuer, redirectUri, endsAtMillis, random } = attempt;
  const members = JSON.stringify([tenantId, issuer, redirectUri, endsAtMillis, random]);
  return Buffer.from(members, 'utf8').toString('base64url');
}

/** Reads the text of an attempt; `undefined` if it is none. It proves nothing yet. */
function readAttempt(text: string): Attempt | undefined {
  const members = v.safeParse(Members, jsonOf(text));
  if (!members.success) return undefined;
  const [tenantId, issuer, redirectUri, endsAtMillis, random] = members.output;
  return { tenantId, issuer, redirectUri, endsAtMillis, random };
}

/** Returns what is derived from an attempt with the key of the settings. */
function roundOf(text: string, redirectUri: string, key: string): SignInRound {
  const derive = hmacSha256(Buffer.from(key, 'base64url'));
  const named = (name: string): string =>
    derive(`agentkeep sign-in 1 ${name} ${text}`, 'base64url');
  return {
    redirectUri,
    state: named('state'),
    nonce: named('nonce'),
    codeVerifier: named('verifier'),
  };
}

/** Compares the state that came back in constant time. */
function isSameState(one: string, other: string | null): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other ?? '')];
  return left.length === right.length && timingSafeEqual(left, right);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
