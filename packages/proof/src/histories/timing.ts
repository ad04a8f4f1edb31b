/**
 * When calls took effect, as far as the history shows.
 */
import type { Answer, Call } from './call.js';
import type { Operation } from './linearizability.js';

/** Time of the acknowledged revocation of each credential. No later call with it takes effect. */
export type Revocations = ReadonlyMap<string, number>;

/** Returns the acknowledged revocations of a history. */
export function revocationsIn(calls: readonly Call[]): Revocations {
  const revocations = new Map<string, number>();
  for (const { request, answer, returnedAt } of calls) {
    if (request.type !== 'revoke' || !reportsRevocation(answer)) continue;
    const known = revocations.get(request.credentialId) ?? Infinity;
    revocations.set(request.credentialId, Math.min(known, returnedAt));
  }
  return revocations;
}

/**
 * Whether a call shows a revocation. A revision conflict does too, because nothing else changes it.
 */
function reportsRevocation(answer: Answer): boolean {
  const isStale = answer.type === 'refused' && answer.code === 'revision_conflict';
  return answer.type === 'revoked' || isStale;
}

/** Returns a call as an operation on an object. */
export function operationOf<E>(call: Call, event: E, revocations: Revocations): Operation<E> {
  const { calledAt, returnedAt, credential, answer } = call;
  return {
    event,
    calledAt,
    endsAt: Math.min(returnedAt, revocations.get(credential) ?? Infinity),
    isCertain: answer.type !== 'unknown',
  };
}

/** Returns a call without its answer. */
export function unanswered(call: Call): Call {
  return { ...call, answer: { type: 'unknown' }, returnedAt: Infinity };
}
