/** Decides how an attempt changes the progress of a webhook. Pure. */
import type { AttemptAnswer } from '../../kernel/ports/webhook-sender.js';
import type { StoredDelivery, StoredFailure } from './delivery-store.js';
import { nextAttemptMs } from './retry-policy.js';

/** An attempt to deliver a message. */
export interface Attempt {
  readonly answer: AttemptAnswer;
  readonly nowMs: number;
  /** From 0 to 1. */
  readonly random: number;
}

/** The status with which a receiver says that it is gone for good (Standard Webhooks). */
const GONE = 410;

/** Returns whether a receiver has accepted a message. */
export function isDelivered(answer: AttemptAnswer): boolean {
  return answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
}

/** Returns whether a receiver wants no more messages. */
export function isGone(answer: AttemptAnswer): boolean {
  return answer.kind === 'answered' && answer.status === GONE;
}

/** Returns the failure of an attempt that is not a delivery. */
export function failureOf({ answer, nowMs }: Omit<Attempt, 'random'>): StoredFailure {
  const isAnswered = answer.kind === 'answered';
  return {
    atMillis: nowMs,
    reason: isAnswered ? 'status' : answer.reason,
    status: isAnswered ? answer.status : null,
  };
}

/** Returns the state after a delivery up to a position. */
export function afterDelivery(
  delivery: StoredDelivery,
  { to, nowMs }: { readonly to: Uint8Array; readonly nowMs: number },
): StoredDelivery {
  return {
    ...delivery,
    from: to,
    message: null,
    nextAttemptAtMillis: null,
    deliveredMessages: delivery.deliveredMessages + 1,
    lastDeliveredAtMillis: nowMs,
    lastFailure: null,
  };
}

/** Returns the state after a failed attempt: the message waits for the next one. */
export function afterFailure(
  delivery: StoredDelivery,
  { answer, nowMs, random }: Attempt,
): StoredDelivery {
  const { message } = delivery;
  const attempts = (message?.attempts ?? 0) + 1;
  const retryAfterMs = answer.kind === 'answered' ? answer.retryAfterMs : null;
  return {
    ...delivery,
    message: message && { ...message, attempts },
    nextAttemptAtMillis: nextAttemptMs({ nowMs, attempts, retryAfterMs, random }),
    lastFailure: failureOf({ answer, nowMs }),
  };
}

/** Returns the state after a message was given up: delivery continues after it. */
export function afterGivingUp(failed: StoredDelivery, to: Uint8Array): StoredDelivery {
  return { ...failed, from: to, message: null };
}
