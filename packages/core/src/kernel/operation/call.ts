/** The context of a call, as its caller or transport states it. */
import type { Principal, CallerProof } from '../access/principal.js';
import type { CallOrigin } from '../audit/audit.js';
import type { AttemptedProof, CallFacts } from '../audit/call-events.js';
import type { HeavyCall } from '../load/heavy-work.js';
import type { HeldWait } from '../load/held-texts.js';
import type { Runtime } from '../services/runtime.js';

/** The context of a call. */
export interface Call {
  /** Absent when the caller sent none, or only an unreadable one. */
  readonly proof?: CallerProof | undefined;
  /** Runs once the caller is known and before anything else is decided; may throw to refuse. */
  readonly countRequest?: (principal: Principal | undefined) => void;
  /** Correlates the call with logs and audit. */
  readonly requestId?: string;
  /** Id of the trace that the call belongs to (W3C Trace Context); read only to record an event. */
  readonly traceId?: string | undefined;
  /** Returns the origin of the call; called only when there is something to record. */
  readonly origin?: () => CallOrigin;
  /** The proofs that the caller sent, unreadable ones included. Default: `proof`. */
  readonly attempted?: readonly AttemptedProof[];
  /**
   * Takes over the answer of a heavy call, which works on until its `end()` is called. Without it,
   * the call ends when it returns.
   */
  readonly holdAnswer?: ((answer: HeavyCall) => void) | undefined;
  /** Ends long work early; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Ends waiting: a call that waits for an event answers with its results so far. */
  readonly stopping?: AbortSignal | undefined;
  /** Keeps the slot of a waiting call for further calls of the same stream. */
  readonly heldWait?: HeldWait | undefined;
}

/** The settings that decide how long a call waits. */
export type WaitSettings = Pick<Call, 'signal' | 'stopping' | 'heldWait'>;

/** Facts about a call beside its context. */
interface KnownCall {
  /** The name of the operation. */
  readonly name: string;
  readonly principal: Principal | undefined;
  readonly nowMs: number;
}

/** Returns the facts that events of a call state. */
export function factsOf(
  { newId }: Runtime,
  call: Call,
  { name, principal, nowMs }: KnownCall,
): CallFacts {
  const { proof, attempted, requestId, traceId } = call;
  return {
    newId,
    principal,
    attempted: attempted ?? attemptOf(proof),
    origin: call.origin?.() ?? { path: name, ipAddress: null, userAgent: null, endpointType: null },
    requestId,
    traceId,
    nowMs,
  };
}

/** A held proof is reported as the kind of proof it was made from. */
function attemptOf(proof: CallerProof | undefined): AttemptedProof[] {
  if (proof === undefined) return [];
  const kind = proof.kind === 'held' ? proof.subject.kind : proof.kind;
  // A token with a proof of a key is recorded as a bearer token is.
  return [kind === 'api_key' ? 'api_key' : 'bearer'];
}
