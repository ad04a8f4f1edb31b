/** Authenticates the caller of a call by its proof and the current stored state. */
import { readWithEffects } from '../../access/authenticator.js';
import { HeldProof, type Principal, type CallerProof } from '../../access/principal.js';
import { type Settled, whenSettled } from '../../storage/store/read-at-once.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { Call } from '../operation/call.js';
import type { Operation } from '../operation/operation.js';
import type { VerifiedDelegation, VerifiedToken } from '../ports/tokens.js';
import type { Runtime } from '../services/runtime.js';

/** Returns the caller of an operation, or `undefined` without a valid proof. */
export function callerOf(
  runtime: Runtime,
  operation: Operation,
  call: Call,
  nowMs: number,
): Settled<Principal | undefined> {
  if (operation.kind === 'public') {
    if (operation.ignoresProof === true) return prove(runtime, {}, nowMs);
    if (operation.isStoreless === true && call.proof === undefined) return undefined;
  }
  return prove(runtime, call, nowMs);
}

/** Returns the principal that a call proves, or `undefined` without a valid proof. */
export function prove(
  runtime: Runtime,
  call: Pick<Call, 'proof'>,
  nowMs: number,
): Settled<Principal | undefined> {
  const { proof } = call;
  if (proof === undefined || !isAccessToken(proof)) return provedBy(runtime, proof, nowMs);
  // An access token is replaced by the stored state that it names.
  return whenSettled(runtime.tokens.verify(proof.token, nowMs), (token) =>
    provedBy(runtime, heldToken(token), nowMs),
  );
}

function provedBy(
  runtime: Runtime,
  proof: CallerProof | undefined,
  nowMs: number,
): Settled<Principal | undefined> {
  const { store, authenticate, refreshPolicies } = runtime;
  if (proof === undefined && refreshPolicies === undefined) return undefined;
  return readWithEffects(store, (tx, effects) => {
    refreshPolicies?.(tx, effects);
    return proof && authenticate(tx, proof, nowMs, effects);
  });
}

/** Access tokens have three parts; no opaque secret has a dot. */
function isAccessToken(proof: CallerProof): proof is CallerProof & { readonly kind: 'bearer' } {
  return proof.kind === 'bearer' && proof.token.includes('.');
}

function heldToken(token: VerifiedToken | VerifiedDelegation | undefined): HeldProof | undefined {
  if (token === undefined) return undefined;
  if (token.kind === 'delegated') return heldDelegation(token);
  const { tenantId, accountId, sessionId, jti, expiresAtSecs } = token;
  return new HeldProof({
    kind: 'session',
    authority: tenantId ?? INSTALLATION,
    accountId,
    sessionId,
    token: { jti, expiresAtSecs },
  });
}

function heldDelegation({
  tenantId,
  credentialId,
  pin,
  subjectId,
  expiresAtSecs,
}: VerifiedDelegation): HeldProof {
  return new HeldProof({
    kind: 'delegated',
    tenantId,
    credentialId,
    pin,
    subjectId,
    expiresAtMillis: expiresAtSecs * 1_000,
  });
}
