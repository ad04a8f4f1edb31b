/** The progress of webhooks in the store, and the changes that they gave up. */
import {
  coded,
  fieldsLayout,
  json,
  nested,
  number,
  orNull,
  text,
} from '../../storage/store/fields.js';
import { defineFamily } from '../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { WEBHOOK_DEAD_LETTERS_MAX, WEBHOOKS_MAX } from '../../contract/limits.js';
import type { Lease } from '../memory/journal/lease-policy.js';
import type { failureReasons } from './schema.js';

/** Why an attempt failed. */
export type FailureReason = (typeof failureReasons)[number];

/** A failed attempt. */
export interface StoredFailure {
  readonly atMillis: number;
  readonly reason: FailureReason;
  /** The status of the answer; null without an answer. */
  readonly status: number | null;
}

/** The message that is being delivered. Later attempts carry the same changes under the same id. */
export interface StoredMessage {
  readonly id: string;
  /** The position before which its changes end. */
  readonly to: Uint8Array;
  /** Failed attempts. */
  readonly attempts: number;
}

/** The progress of a webhook. */
export interface StoredDelivery {
  /** The position of the first change that is not delivered yet. */
  readonly from: Uint8Array;
  readonly message: StoredMessage | null;
  /** Null for immediately. */
  readonly nextAttemptAtMillis: number | null;
  /** The server that delivers. */
  readonly lease: Lease | null;
  readonly deliveredMessages: number;
  readonly lastDeliveredAtMillis: number | null;
  readonly lastFailure: StoredFailure | null;
}

/** Given-up changes: those between two positions that the webhook wants. */
export interface StoredDeadLetter {
  readonly id: string;
  readonly from: Uint8Array;
  readonly to: Uint8Array;
  readonly firstCommittedAtMillis: number;
  readonly lastCommittedAtMillis: number;
  readonly givenUpAtMillis: number;
  readonly failure: StoredFailure;
  readonly isReplaying: boolean;
}

const position = coded<Uint8Array, string>(
  (bytes) => Buffer.from(bytes).toString('base64url'),
  (stored) => Uint8Array.from(Buffer.from(stored, 'base64url')),
);
const failure = nested<StoredFailure>({
  atMillis: number,
  reason: json<FailureReason>(),
  status: json<number | null>(),
});

/** How far a webhook has delivered, and who delivers it, by id of the webhook. */
export const webhookDeliveries = defineFamily({
  name: 'webhookDeliveries',
  number: 81,
  key: ['uuid'],
  layout: fieldsLayout<StoredDelivery>(1, {
    from: position,
    message: orNull(nested<StoredMessage>({ id: text, to: position, attempts: number })),
    nextAttemptAtMillis: orNull(number),
    lease: orNull(nested<Lease>({ holder: text, untilMillis: number })),
    deliveredMessages: number,
    lastDeliveredAtMillis: orNull(number),
    lastFailure: orNull(failure),
  }),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** Changes that a webhook gave up, from a position to another: id of the webhook, of the letter. */
export const webhookDeadLetters = defineFamily({
  name: 'webhookDeadLetters',
  number: 82,
  key: ['uuid', 'uuid'],
  layout: fieldsLayout<StoredDeadLetter>(1, {
    id: text,
    from: position,
    to: position,
    firstCommittedAtMillis: number,
    lastCommittedAtMillis: number,
    givenUpAtMillis: number,
    failure,
    isReplaying: json<boolean>(),
  }),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** What an erasure removes with its webhook, whose id keys begin with. */
export const ofWebhooks = [webhookDeliveries, webhookDeadLetters] as const;

/** The key of a webhook. */
export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}

/** Returns the delivery of a webhook that starts at a position. */
export function newDelivery(from: Uint8Array): StoredDelivery {
  return {
    from: Uint8Array.from(from),
    message: null,
    nextAttemptAtMillis: null,
    lease: null,
    deliveredMessages: 0,
    lastDeliveredAtMillis: null,
    lastFailure: null,
  };
}

/** Returns the progress of a webhook, or `undefined`. */
export function findDelivery(
  tx: ReadTx,
  { tenantId, webhookId }: WebhookKey,
): StoredDelivery | undefined {
  return webhookDeliveries.get(tx, tenantId, webhookId);
}

/** Returns how many webhooks of a tenant wait for another attempt after one that failed. */
export function countRetried(tx: ReadTx, tenantId: string): number {
  const all = webhookDeliveries.values(tx, tenantId, { prefix: [], limit: WEBHOOKS_MAX });
  return all.filter(({ message }) => message !== null && message.attempts > 0).length;
}

/** Stores the progress of a webhook. */
export function putDelivery(
  tx: WriteTx,
  { tenantId, webhookId }: WebhookKey,
  delivery: StoredDelivery,
): void {
  webhookDeliveries.put(tx, delivery, tenantId, webhookId);
}

/** Returns the dead letters of a webhook, oldest first. */
export function listDeadLetters(
  tx: ReadTx,
  { tenantId, webhookId }: WebhookKey,
): StoredDeadLetter[] {
  const limit = WEBHOOK_DEAD_LETTERS_MAX;
  return webhookDeadLetters.values(tx, tenantId, { prefix: [webhookId], limit });
}

/** Returns a dead letter, or `undefined`. */
export function findDeadLetter(
  tx: ReadTx,
  { tenantId, webhookId }: WebhookKey,
  id: string,
): StoredDeadLetter | undefined {
  return webhookDeadLetters.get(tx, tenantId, webhookId, id);
}

/** Stores a dead letter. */
export function putDeadLetter(
  tx: WriteTx,
  { tenantId, webhookId }: WebhookKey,
  letter: StoredDeadLetter,
): void {
  webhookDeadLetters.put(tx, letter, tenantId, webhookId, letter.id);
}

/** Removes a dead letter. */
export function removeDeadLetter(
  tx: WriteTx,
  { tenantId, webhookId }: WebhookKey,
  { id }: Pick<StoredDeadLetter, 'id'>,
): void {
  tx.remove(webhookDeadLetters.keyOf(tenantId, webhookId, id));
}

/** Removes all stored data about the deliveries of a webhook. */
export function removeDelivery(tx: WriteTx, key: WebhookKey): void {
  for (const letter of listDeadLetters(tx, key)) removeDeadLetter(tx, key, letter);
  tx.remove(webhookDeliveries.keyOf(key.tenantId, key.webhookId));
}
