/** Stores the outcome of an attempt: the progress of the delivery, given-up changes, and pauses. */
import { WEBHOOK_DEAD_LETTERS_MAX } from '../../contract/limits.js';
import type { AttemptAnswer } from '../../kernel/ports/webhook-sender.js';
import type { WriteTx } from '../../storage/store/store.js';
import type { DeliveryParts, DueDelivery } from './delivery-port.js';
import {
  findDeadLetter,
  findDelivery,
  listDeadLetters,
  putDeadLetter,
  putDelivery,
  removeDeadLetter,
  type StoredDeadLetter,
  type StoredDelivery,
  type WebhookKey,
} from './delivery-store.js';
import {
  afterDelivery,
  afterFailure,
  afterGivingUp,
  failureOf,
  isDelivered,
  isGivenUp,
  isGone,
} from './settle-attempt.js';
import { firstIn, lastOf, oldRunFrom } from './webhook-message.js';
import { findWebhook, putWebhook } from './webhook-store.js';

/** An attempt, and its answer. */
export interface Outcome extends DueDelivery {
  readonly answer: AttemptAnswer;
}

/** An outcome with its time. */
interface TimedOutcome extends Outcome {
  readonly nowMs: number;
  /** The end of the changes that are too old to be sent again; absent if there are none. */
  readonly old: Old | undefined;
}

/** The end of changes that are given up together. */
interface Old {
  readonly to: Uint8Array;
  readonly lastCommittedAtMillis: number;
}

/**
 * Stores an outcome, unless another server has taken over: then that server sends the message
 * again.
 */
export async function storeOutcome(
  parts: DeliveryParts,
  key: WebhookKey,
  outcome: Outcome,
): Promise<void> {
  const { store, clock, holder } = parts;
  const nowMs = clock.now();
  const old = await oldChanges(parts, outcome, nowMs);
  const timed = { ...outcome, nowMs, old };
  await store.transact((tx) => {
    const delivery = findDelivery(tx, key);
    if (delivery?.lease?.holder !== holder) return;
    if (outcome.letter !== undefined) settleLetter(tx, key, outcome.letter, timed);
    else settleNew(tx, key, { parts, delivery, outcome: timed });
    if (isGone(outcome.answer)) pause(tx, key);
  });
}

/** Finds the end of the changes that are too old, so that they are given up together. */
async function oldChanges(
  { store }: DeliveryParts,
  { owner, found, letter, answer }: Outcome,
  nowMs: number,
): Promise<Old | undefined> {
  let last = lastOf(found) ?? nowMs;
  const isOld = letter === undefined && !isDelivered(answer) && isGivenUp(last, nowMs);
  if (!isOld) return undefined;
  let { to } = found;
  for (let isCut = true; isCut;) {
    const from = to;
    const run = await store.read((tx) => oldRunFrom(tx, owner, { from, nowMs }));
    to = run.to;
    last = run.lastCommittedAtMillis ?? last;
    ({ isCut } = run);
  }
  return { to, lastCommittedAtMillis: last };
}

interface NewOutcome {
  readonly parts: DeliveryParts;
  readonly delivery: StoredDelivery;
  readonly outcome: TimedOutcome;
}

function settleNew(tx: WriteTx, key: WebhookKey, { parts, delivery, outcome }: NewOutcome): void {
  const { answer, nowMs, found, old } = outcome;
  if (isDelivered(answer)) {
    putDelivery(tx, key, afterDelivery(delivery, { to: found.to, nowMs }));
    return;
  }
  const [byte = 0] = parts.entropy.bytes(1);
  const failed = afterFailure(delivery, { answer, nowMs, random: byte / 255 });
  if (old === undefined) {
    putDelivery(tx, key, failed);
    return;
  }
  giveUp(tx, key, { ...outcome, old, id: parts.newId() });
  putDelivery(tx, key, afterGivingUp(failed, old.to));
}

/** Adds a dead letter; if there are as many as allowed, extends the newest one instead. */
function giveUp(
  tx: WriteTx,
  key: WebhookKey,
  {
    from,
    found,
    answer,
    nowMs,
    old,
    id,
  }: TimedOutcome & { readonly old: Old; readonly id: string },
): void {
  const { to, lastCommittedAtMillis } = old;
  const firstCommittedAtMillis = firstIn(found) ?? lastCommittedAtMillis;
  const others = listDeadLetters(tx, key);
  const newest = others.length >= WEBHOOK_DEAD_LETTERS_MAX ? others.at(-1) : undefined;
  putDeadLetter(tx, key, {
    ...(newest ?? { id, from, firstCommittedAtMillis }),
    to,
    lastCommittedAtMillis,
    givenUpAtMillis: nowMs,
    failure: failureOf({ answer, nowMs }),
    isReplaying: false,
  });
}

function settleLetter(
  tx: WriteTx,
  key: WebhookKey,
  letter: StoredDeadLetter,
  { found, answer, nowMs }: TimedOutcome,
): void {
  const present = findDeadLetter(tx, key, letter.id);
  if (present === undefined) return;
  if (!isDelivered(answer)) {
    const failure = failureOf({ answer, nowMs });
    putDeadLetter(tx, key, { ...present, isReplaying: false, failure });
    return;
  }
  const isAtEnd = Buffer.compare(found.to, present.to) >= 0;
  const isNothingLeft = Buffer.compare(found.to, present.from) <= 0;
  if (isAtEnd || isNothingLeft) removeDeadLetter(tx, key, present);
  else putDeadLetter(tx, key, { ...present, from: found.to });
}

/**
 * Pauses the webhook of a receiver that wants no more messages. Nothing is lost while it is paused.
 */
function pause(tx: WriteTx, { tenantId, webhookId }: WebhookKey): void {
  const webhook = findWebhook(tx, tenantId, webhookId);
  if (webhook === undefined) return;
  const revision = webhook.revision + 1;
  putWebhook(tx, tenantId, { ...webhook, revision, isEnabled: false });
}
