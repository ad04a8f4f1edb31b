/** Decides how an attempt changes the progress of a webhook. Pure. */
import { WEBHOOK_RETRY_MS } from '../../contract/limits.js';
import type { AttemptAnswer } from '../../kernel/ports/webhook-sender.js';
import type { StoredDelivery, StoredFailure } from './delivery-store.js';

/** An attempt to deliver a message. */
interface Attempt {
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

const FIRST_WAIT_MS = 5_000;
const WAIT_MS_MAX = 3_600_000;
/** Waits vary by up to this share, so that receivers are not all called at once. */
const JITTER = 0.2;

/** A failed attempt. */
interface FailedAttempt {
  readonly nowMs: number;
  /** Failed attempts of the message, including this one. */
  readonly attempts: number;
  /** The wait that the receiver requested; null if it requested none. */
  readonly retryAfterMs: number | null;
  /** From 0 to 1, both excluded at most by rounding. */
  readonly random: number;
}

/** Returns when to try again: after a wait that doubles each time, one hour at most. */
function nextAttemptMs({ nowMs, attempts, retryAfterMs, random }: FailedAttempt): number {
  const doubled = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempts - 1, 20), WAIT_MS_MAX);
  const wait = doubled * (1 + JITTER * (2 * random - 1));
  const asked = Math.min(retryAfterMs ?? 0, WAIT_MS_MAX);
  return Math.round(nowMs + Math.max(wait, asked));
}

/** Returns whether a failed change is too old for another attempt. */
export function isGivenUp(committedAtMillis: number, nowMs: number): boolean {
  return nowMs - committedAtMillis >= WEBHOOK_RETRY_MS;
}
