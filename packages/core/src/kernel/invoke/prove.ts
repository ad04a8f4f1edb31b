/** Authenticates the caller of a call by its proof and the current stored state. */
import { hasCode } from '../../contract/errors/agentkeep-error.js';
import { credentialOfKeyToken, type SentKeyProof } from '../access/key-thumbprint.js';
import {
  type CallerProof,
  HeldProof,
  type Principal,
  readWithEffects,
} from '../access/principal.js';
import type { Settled } from '../../storage/store/store.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { type Call, whenSettled } from '../operation/call.js';
import type { Operation } from '../operation/operation.js';
import { keyProofs } from '../ports/key-proofs.js';
import type { VerifiedDelegation, VerifiedToken } from '../ports/tokens.js';
import type { Runtime } from '../services/runtime.js';
import { type SupposedCaller, supposedCaller } from './supposed-caller.js';

/**
 * Returns the caller of an operation, or `undefined` without a valid proof. For a public operation
 * the proof of a blocked subject is as good as none.
 *
 * @throws {AgentkeepError} `subject_blocked`, `use_dpop_nonce`
 */
export function callerOf(
  runtime: Runtime,
  operation: Operation,
  call: Call,
  nowMs: number,
): Settled<Principal | undefined> {
  if (operation.kind !== 'public') return prove(runtime, call, nowMs);
  if (operation.ignoresProof === true || call.proof === undefined) {
    const isStoreless = operation.ignoresProof !== true && operation.isStoreless === true;
    return isStoreless ? undefined : prove(runtime, {}, nowMs);
  }
  return unlessBlocked(runtime, call, nowMs);
}

/** Returns the principal that a call proves; `undefined` also for a blocked subject. */
export async function unlessBlocked(
  runtime: Runtime,
  call: Pick<Call, 'proof'>,
  nowMs: number,
): Promise<Principal | undefined> {
  try {
    return await prove(runtime, call, nowMs);
  } catch (error) {
    if (isBlocked(error)) return undefined;
    throw error;
  }
}

/** Whether a valid proof is refused because its subject is blocked. */
export function isBlocked(error: unknown): boolean {
  return hasCode(error, 'subject_blocked');
}

/** Returns the caller of an operation as it was last known, if that is enough to begin its call. */
export function suppose(
  runtime: Runtime,
  operation: Operation,
  { proof }: Pick<Call, 'proof'>,
  nowMs: number,
): Settled<SupposedCaller | undefined> {
  const isReady = runtime.store.suppose !== undefined && operation.kind === 'tenant';
  if (!isReady || operation.confirms === 'revision' || proof === undefined) return undefined;
  if (proof.kind === 'key') return undefined;
  return whenSettled(presented(runtime, proof, nowMs), (held) =>
    supposedCaller(runtime, held, nowMs),
  );
}

/** Returns the principal that a call proves, or `undefined` without a valid proof. */
export function prove(
  runtime: Runtime,
  call: Pick<Call, 'proof'>,
  nowMs: number,
): Settled<Principal | undefined> {
  const { proof } = call;
  if (proof?.kind === 'key') return provedByKey(runtime, proof, nowMs);
  return whenSettled(presented(runtime, proof, nowMs), (held) => provedBy(runtime, held, nowMs));
}

/** Replaces an access token by the stored state that it names. */
function presented(
  { tokens }: Runtime,
  proof: CallerProof | undefined,
  nowMs: number,
): Settled<CallerProof | undefined> {
  if (proof === undefined || !isAccessToken(proof)) return proof;
  return whenSettled(tokens.verify(proof.token, nowMs), (token) =>
    // A token that is bound to a key counts only beside a proof of it.
    boundKey(token) === undefined ? heldToken(token) : undefined,
  );
}

/**
 * Returns the holder of a key. The stored state comes before the signature, so that a proof for
 * another key costs little.
 *
 * @throws {AgentkeepError} `use_dpop_nonce`
 */
async function provedByKey(
  runtime: Runtime,
  sent: SentKeyProof,
  nowMs: number,
): Promise<Principal | undefined> {
  const proof = keyProofs.of(runtime).read(sent, nowMs);
  const held = proof && (await heldByKey(runtime, sent.token, proof.thumbprint, nowMs));
  const principal = await provedBy(runtime, held, nowMs);
  if (proof === undefined || principal === undefined) return undefined;
  return proof.accept(principal.id, nowMs) ? principal : undefined;
}

/** Returns what a token stands for, if it is bound to a key. */
async function heldByKey(
  { tokens }: Runtime,
  token: string,
  thumbprint: string,
  nowMs: number,
): Promise<HeldProof | undefined> {
  const credentialId = credentialOfKeyToken(token);
  if (credentialId !== undefined) {
    return new HeldProof({ kind: 'key_holder', credentialId, thumbprint });
  }
  const verified = await tokens.verify(token, nowMs);
  return boundKey(verified) === thumbprint ? heldToken(verified) : undefined;
}

function boundKey(token: VerifiedToken | VerifiedDelegation | undefined): string | undefined {
  return token?.kind === 'delegated' ? token.thumbprint : undefined;
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
