/** Delivers the due messages of one webhook, one by one, in order. */
import { certain } from '../../contract/certain.js';
import { sha256Text } from '../../contract/digest.js';
import { WEBHOOK_TIMEOUT_MS } from '../../contract/limits.js';
import { isHeldByAnother, type Lease } from '../memory/journal/lease-policy.js';
import type { AttemptAnswer, WebhookAnswer } from '../../kernel/ports/webhook-sender.js';
import type { DeliveryParts, DueDelivery } from './delivery-port.js';
import {
  findDelivery,
  listDeadLetters,
  putDelivery,
  type StoredDelivery,
  type WebhookKey,
} from './delivery-store.js';
import { isDelivered } from './settle-attempt.js';
import { ownerOf } from './show-webhook.js';
import { storeOutcome } from './store-outcome.js';
import { findMessage, type FoundMessage, lastOf, messageBody } from './webhook-message.js';
import { liveSecrets, signatureHeader } from './webhook-secret.js';
import { findWebhook } from './webhook-store.js';

/** Another server takes over this long after the last sign of the one that delivers. */
const LEASE_MS = 2 * WEBHOOK_TIMEOUT_MS;

/** When to look again, in Unix milliseconds; `null` for after the next commit. */
export type Idle = { readonly untilMillis: number | null };
const afterNextCommit: Idle = { untilMillis: null };

/** How long a message waits for a sender that has no free slot. */
const BUSY_MS = 1_000;
/**
 * How long the end of unwanted changes is kept in memory only, so that not each of them costs a
 * write.
 */
const STORE_EVERY_MS = 60_000;

/** The deliveries of one webhook by this process. */
export class WebhookDelivery {
  readonly #parts: DeliveryParts;
  readonly #key: WebhookKey;
  /** The end of the examined changes that the webhook does not want; absent once it is stored. */
  #examined: Uint8Array | undefined;
  #storedAtMillis = -Infinity;

  constructor(parts: DeliveryParts, key: WebhookKey) {
    this.#parts = parts;
    this.#key = key;
  }

  /** Delivers the next message. Returns when to look again, or `undefined` for at once. */
  async step(): Promise<Idle | undefined> {
    if (this.#isClosing()) return afterNextCommit;
    const due = await this.#look();
    if ('untilMillis' in due) return due;
    const { found, from, delivery, letter } = due;
    const isEmpty = found.kind === 'changes' && lastOf(found) === undefined;
    if (isEmpty && letter === undefined && delivery.message === null) {
      if (Buffer.compare(found.to, from) === 0) return this.#rest();
      this.#examined = found.to;
      return undefined;
    }
    const claimed = await this.#claim(due);
    if (claimed === undefined) return undefined;
    const answer = isEmpty ? nothingSent : await this.#send(due, claimed);
    if (answer.kind === 'busy') return { untilMillis: this.#parts.clock.now() + BUSY_MS };
    if (this.#isClosing() && !isDelivered(answer)) return afterNextCommit;
    await storeOutcome(this.#parts, this.#key, { ...due, answer });
    this.#examined = undefined;
    return undefined;
  }

  #isClosing(): boolean {
    return this.#parts.signal.aborted;
  }

  /** Finds the due delivery, or the time until which nothing is due. */
  #look(): Promise<DueDelivery | Idle> {
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    return store.read((tx) => {
      const { tenantId, webhookId } = this.#key;
      const webhook = findWebhook(tx, tenantId, webhookId);
      const delivery = findDelivery(tx, this.#key);
      if (webhook?.isEnabled !== true || delivery === undefined) return afterNextCommit;
      const owner = ownerOf(tx, tenantId, webhook, nowMs);
      if (owner === undefined) return afterNextCommit;
      const { lease, message, nextAttemptAtMillis } = delivery;
      if (this.#isOfAnother(lease, nowMs)) return { untilMillis: lease.untilMillis };
      const owned = { webhook, owner };
      const letter = listDeadLetters(tx, this.#key).find(({ isReplaying }) => isReplaying);
      if (letter !== undefined) {
        const { from } = letter;
        return { ...owned, delivery, letter, from, found: findMessage(tx, owned, letter) };
      }
      if (nextAttemptAtMillis !== null && nowMs < nextAttemptAtMillis) {
        return { untilMillis: nextAttemptAtMillis };
      }
      const from = message === null ? later(this.#examined, delivery.from) : delivery.from;
      const found = findMessage(tx, owned, { from, to: message?.to });
      return { ...owned, delivery, letter, from, found };
    });
  }

  /**
   * Takes or keeps the lease, and fixes the message. Returns `undefined` when the webhook or its
   * delivery changed meanwhile.
   */
  #claim({
    webhook,
    delivery,
    letter,
    from,
    found,
  }: DueDelivery): Promise<StoredDelivery | undefined> {
    const { store, clock, holder, newId } = this.#parts;
    const nowMs = clock.now();
    const id = letter === undefined ? this.#messageId(found.kind, from) : `msg_${newId()}`;
    return store.transact((tx) => {
      const present = findDelivery(tx, this.#key);
      const { tenantId, webhookId } = this.#key;
      if (findWebhook(tx, tenantId, webhookId)?.revision !== webhook.revision) return undefined;
      if (present === undefined || this.#isOfAnother(present.lease, nowMs)) return undefined;
      if (Buffer.compare(present.from, delivery.from) !== 0) return undefined;
      const lease = { holder, untilMillis: nowMs + LEASE_MS };
      const message = { id, to: found.to, attempts: present.message?.attempts ?? 0 };
      // A message that reports a loss is not the one that was lost.
      const known = found.kind === 'expired' ? null : present.message;
      const claimed: StoredDelivery =
        letter === undefined
          ? { ...present, from, message: known ?? message, lease }
          : { ...present, lease };
      putDelivery(tx, this.#key, claimed);
      return letter === undefined ? claimed : { ...claimed, message: { ...message, attempts: 0 } };
    });
  }

  /** Returns whether another server delivers. The lease of an ended process doesn't count. */
  #isOfAnother(lease: Lease | null, nowMs: number): lease is Lease {
    const { store, holder } = this.#parts;
    return store.isShared && isHeldByAnother(lease, holder, nowMs);
  }

  /**
   * Returns the message id. Every attempt to deliver the changes from a position on has the same
   * one.
   */
  #messageId(kind: FoundMessage['kind'], from: Uint8Array): string {
    const position = Buffer.from(from).toString('base64url');
    const source = `${this.#key.webhookId} ${kind} ${position}`;
    return `msg_${sha256Text(source, 'base64url').slice(0, 32)}`;
  }

  #send({ webhook, found }: DueDelivery, { message }: StoredDelivery): Promise<WebhookAnswer> {
    const { clock, sender, signal } = this.#parts;
    const nowMs = clock.now();
    const { id } = certain(message, 'message');
    const timestamp = Math.floor(nowMs / 1_000);
    const body = messageBody(found, { webhookId: webhook.id, nowMs });
    const secrets = liveSecrets(webhook.secrets, nowMs);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Agentkeep-Webhooks',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureHeader(secrets, { id, timestamp, body }),
    };
    const { tenantId } = this.#key;
    const timeoutMs = WEBHOOK_TIMEOUT_MS;
    return sender.send({ tenantId, url: webhook.url, headers, body, timeoutMs, signal });
  }

  /** Stores from time to time the end of the examined unwanted changes, before they are removed. */
  async #rest(): Promise<Idle> {
    if (this.#examined === undefined) return afterNextCommit;
    const dueMs = this.#storedAtMillis + STORE_EVERY_MS;
    if (this.#parts.clock.now() < dueMs) return { untilMillis: dueMs };
    await this.storeExamined();
    return afterNextCommit;
  }

  /** Stores the end of the examined unwanted changes. */
  async storeExamined(): Promise<void> {
    const { store, clock } = this.#parts;
    const examined = this.#examined;
    if (examined === undefined) return;
    await store.transact((tx) => {
      const present = findDelivery(tx, this.#key);
      if (present?.message !== null || !isAfter(examined, present.from)) return;
      putDelivery(tx, this.#key, { ...present, from: examined });
    });
    this.#examined = undefined;
    this.#storedAtMillis = clock.now();
  }
}

/** A message without remaining changes counts as delivered. */
const nothingSent: AttemptAnswer = { kind: 'answered', status: 204, retryAfterMs: null };

function isAfter(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) > 0;
}

/** Returns the later one of two positions. */
function later(one: Uint8Array | undefined, other: Uint8Array): Uint8Array {
  return one !== undefined && isAfter(one, other) ? one : other;
}
