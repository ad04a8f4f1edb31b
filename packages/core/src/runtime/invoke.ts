/**
 * The one way in: every caller, embedded or remote, reaches an operation through here and gets the
 * same proof, checks, errors and audit.
 * @module
 */
import type * as v from 'valibot';
import { readWithEffects } from '../access/authenticator.js';
import { HeldProof, type Principal, type Proof } from '../access/principal.js';
import {
  type AttemptedProof,
  authenticatedEvents,
  type CallFacts,
  outcomeEvents,
} from './audit/call-events.js';
import { AgentkeepError } from '../contract/errors/agentkeep-error.js';
import { INSTALLATION } from '../storage/store/keyspace.js';
import type { VerifiedToken } from './ports/tokens.js';
import { CheckedCall } from './checked-call.js';
import type { CallOrigin } from './audit/audit.js';
import type { InputSource } from './input.js';
import type { Operation } from './operation.js';
import type { Runtime } from './runtime.js';

/** What surrounds a call. */
export interface Call {
  /** Absent when the caller sent none, or none that can be read. */
  readonly proof?: Proof | undefined;
  /** Runs once the caller is known and before anything else is decided; may throw to refuse. */
  readonly admit?: (principal: Principal | undefined) => void;
  /** Joins the call with logs and audit. */
  readonly requestId?: string;
  /** Where the call comes from; asked for only when there is something to record. */
  readonly origin?: () => CallOrigin;
  /** The proofs that the caller sent, also such as cannot be read. Default: `proof`. */
  readonly attempted?: readonly AttemptedProof[];
  /** Ends long work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs an operation.
 * @throws {AgentkeepError} as the operation states; anything unexpected as `internal_error` with a
 * `cause`, so that no detail of the inside leaves by accident.
 */
export async function invoke<O extends Operation>(
  runtime: Runtime,
  operation: O,
  source: InputSource,
  call: Call,
): Promise<v.InferOutput<O['output']>> {
  const nowMs = runtime.clock.now();
  let principal: Principal | undefined;
  let checked: CheckedCall | undefined;
  const facts = (): CallFacts => factsOf(runtime, call, { name: operation.name, principal, nowMs });
  try {
    const isPublic = operation.access === 'public';
    principal = await callerOf(runtime, operation, call, nowMs);
    call.admit?.(principal);
    if (!isPublic && principal === undefined) throw new AgentkeepError('unauthorized');
    if (!isPublic && principal?.kind === 'account') observeProof(runtime, facts);
    const { signal } = call;
    checked = new CheckedCall({
      runtime,
      operation,
      source,
      caller: principal,
      nowMs,
      signal,
      facts,
    });
    await checked.check();
    const output = await operation.handler(checked);
    observe(runtime, operation, facts, { checked });
    return output;
  } catch (cause) {
    const error = reported(cause, call.signal);
    if (error instanceof AgentkeepError) {
      const keyId = await refusedKeyId(runtime, error, call.proof);
      observe(runtime, operation, facts, { checked, error, keyId });
      checked?.observeRefusal(error);
    }
    throw error;
  }
}

/** Who makes a call, as far as its operation asks for that. */
async function callerOf(
  runtime: Runtime,
  operation: Operation,
  call: Call,
  nowMs: number,
): Promise<Principal | undefined> {
  if (operation.access === 'public') {
    if (operation.ignoresProof === true) return prove(runtime, {}, nowMs);
    if (operation.isStoreless === true && call.proof === undefined) return undefined;
  }
  return prove(runtime, call, nowMs);
}

/** Tells the audit log that an account has proved itself. */
function observeProof({ audit }: Runtime, facts: () => CallFacts): void {
  if (!audit.isEnabled) return;
  for (const draft of authenticatedEvents(facts())) audit.observed(draft);
}

/**
 * Admits a call that reaches no operation, so that it is counted like any other.
 * @throws {AgentkeepError} what `call.admit` throws.
 */
export async function admit(runtime: Runtime, call: Call): Promise<void> {
  const nowMs = runtime.clock.now();
  let principal: Principal | undefined;
  try {
    principal = await prove(runtime, call, nowMs);
    call.admit?.(principal);
  } catch (cause) {
    const error = reported(cause, call.signal);
    if (error instanceof AgentkeepError && error.code === 'rate_limit_exceeded') {
      const facts = () => factsOf(runtime, call, { name: '', principal, nowMs });
      observe(runtime, {}, facts, { error });
    }
    throw error;
  }
}

/**
 * Who a proof stands for at this moment.
 * @throws {AgentkeepError} `unauthorized` when it is not valid, which is recorded.
 */
export async function identify(runtime: Runtime, proof: Proof): Promise<Principal> {
  const nowMs = runtime.clock.now();
  const principal = await prove(runtime, { proof }, nowMs);
  if (principal !== undefined) return principal;
  const error = new AgentkeepError('unauthorized');
  const known = { name: 'authenticate', principal, nowMs };
  const keyId = await refusedKeyId(runtime, error, proof);
  observe(runtime, {}, () => factsOf(runtime, { proof }, known), { error, keyId });
  throw error;
}

async function prove(runtime: Runtime, call: Call, nowMs: number): Promise<Principal | undefined> {
  const { store, authenticate, refreshPolicies } = runtime;
  const proof = await resolvedProof(runtime, call, nowMs);
  if (proof === undefined && refreshPolicies === undefined) return undefined;
  return readWithEffects(store, (tx, effects) => {
    refreshPolicies?.(tx, effects);
    return proof && authenticate(tx, proof, nowMs, effects);
  });
}

/** What is looked up in the store in place of an access token, or the proof itself. */
async function resolvedProof(
  { tokens }: Runtime,
  { proof }: Call,
  nowMs: number,
): Promise<Proof | undefined> {
  if (proof === undefined || !isAccessToken(proof)) return proof;
  return heldToken(await tokens.verify(proof.token, nowMs));
}

/** Access tokens have three parts; no opaque secret has a dot. */
function isAccessToken(proof: Proof): proof is Proof & { readonly kind: 'bearer' } {
  return proof.kind === 'bearer' && proof.token.includes('.');
}

/** What is held of an access token, whose session is then looked up like any other. */
function heldToken(token: VerifiedToken | undefined): HeldProof | undefined {
  if (token === undefined) return undefined;
  const { tenantId, accountId, sessionId, jti, expiresAtSecs } = token;
  const authority = tenantId ?? INSTALLATION;
  return new HeldProof({
    kind: 'session',
    authority,
    accountId,
    sessionId,
    token: { jti, expiresAtSecs },
  });
}

function reported(cause: unknown, signal: AbortSignal | undefined): unknown {
  if (cause instanceof AgentkeepError) return cause;
  if (signal?.aborted === true && cause === signal.reason) return cause;
  return new AgentkeepError('internal_error', { cause });
}

function factsOf(
  { newId }: Runtime,
  { proof, attempted, origin, requestId }: Call,
  known: { name: string; principal: Principal | undefined; nowMs: number },
): CallFacts {
  const { name, principal, nowMs } = known;
  return {
    newId,
    principal,
    attempted: attempted ?? attemptOf(proof),
    origin: origin?.() ?? { path: name, ipAddress: null, userAgent: null, endpointType: null },
    requestId,
    nowMs,
  };
}

/** What is held of a secret stands for the secret. */
function attemptOf(proof: Proof | undefined): AttemptedProof[] {
  if (proof === undefined) return [];
  const kind = proof.kind === 'held' ? proof.subject.kind : proof.kind;
  return [kind === 'api_key' ? 'api_key' : 'bearer'];
}

/** The stored key whose text was refused as a proof; asked for only when that is an event. */
async function refusedKeyId(
  { store, audit, apiKeyIdOf }: Runtime,
  { code }: AgentkeepError,
  proof: Proof | undefined,
): Promise<string | undefined> {
  if (!audit.isEnabled || code !== 'unauthorized') return undefined;
  switch (proof?.kind) {
    case 'api_key':
      return store.read((tx) => apiKeyIdOf(tx, proof.key)).catch(() => undefined);
    case 'held':
      return proof.subject.kind === 'api_key' ? proof.subject.keyId : undefined;
    case 'bearer':
    case undefined:
      return undefined;
  }
}

/** How a call ended, and how far it came. */
interface Ending {
  readonly checked?: CheckedCall | undefined;
  readonly error?: AgentkeepError;
  readonly keyId?: string | undefined;
}

/** Tells the audit log how a call ended; costs nothing where that is no event. */
function observe(
  { audit }: Runtime,
  { effect, access }: Partial<Pick<Operation, 'effect' | 'access'>>,
  facts: () => CallFacts,
  { checked, error, keyId }: Ending,
): void {
  if (!audit.isEnabled) return;
  const recordsGrant = effect !== 'read' || audit.recordsReads;
  const right = checked?.right;
  if (error === undefined && (right === undefined || !recordsGrant)) return;
  // What a refused proof of such an operation comes to is known to its handler alone.
  if (access === 'public' && error?.code === 'unauthorized') return;
  const outcome = { error: error?.code, right, recordsGrant, keyId };
  for (const draft of outcomeEvents(facts(), outcome)) audit.observed(draft);
}
