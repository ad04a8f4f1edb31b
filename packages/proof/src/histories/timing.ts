/**
 * When calls took effect, as far as the history tells.
 * @module
 */
import type { Answer, Call } from './call.js';
import type { Operation } from './linearizability.js';

/** When each credential was known to be revoked: no call that was made with it counts later. */
export type Revocations = ReadonlyMap<string, number>;

/** The acknowledged revocations of a history. */
export function revocationsIn(calls: readonly Call[]): Revocations {
  const revocations = new Map<string, number>();
  for (const { request, answer, returnedAt } of calls) {
    if (request.type !== 'revoke' || !tellsOfRevocation(answer)) continue;
    const known = revocations.get(request.credentialId) ?? Infinity;
    revocations.set(request.credentialId, Math.min(known, returnedAt));
  }
  return revocations;
}

/** Also one that came too late: nothing but a revocation gives these credentials a revision. */
function tellsOfRevocation(answer: Answer): boolean {
  const isStale = answer.type === 'refused' && answer.code === 'revision_conflict';
  return answer.type === 'revoked' || isStale;
}

/** The call as something that happened to an object. */
export function operationOf<E>(call: Call, event: E, revocations: Revocations): Operation<E> {
  const { calledAt, returnedAt, credential, answer } = call;
  return {
    event,
    calledAt,
    endsAt: Math.min(returnedAt, revocations.get(credential) ?? Infinity),
    isCertain: answer.type !== 'unknown',
  };
}

/** The call as if its answer had not come. */
export function unanswered(call: Call): Call {
  return { ...call, answer: { type: 'unknown' }, returnedAt: Infinity };
}
