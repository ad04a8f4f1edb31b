/**
 * Gives webhooks the slots in which they deliver (docs/contract/webhooks.md#hok-30): tenants in
 * turn, then the webhooks of each, one message at a time.
 */
import { WEBHOOK_DELIVERIES_MAX, WEBHOOK_DELIVERIES_OF_TENANT_MAX } from '../../contract/limits.js';
import { FairQueue } from '../../kernel/load/heavy-work.js';
import { mayTakeSlot, type Party, type Slots } from '../../kernel/load/party.js';
import type { WebhookKey } from './delivery-store.js';

const SLOTS: Slots = {
  inAll: WEBHOOK_DELIVERIES_MAX,
  byTenant: WEBHOOK_DELIVERIES_OF_TENANT_MAX,
};

/** Does one step of a webhook. Returns whether it wants another turn. Never rejects. */
export type DeliverOnce = (webhook: WebhookKey) => Promise<boolean>;

/** The webhooks that deliver, and those that wait for a slot. */
export class DeliveryTurns {
  readonly #deliver: DeliverOnce;
  readonly #waiting = new FairQueue<WebhookKey>();
  /** The webhooks that wait or deliver, by name. */
  readonly #known = new Set<string>();
  readonly #running = new Set<Promise<void>>();
  readonly #ofTenant = new Map<string, number>();
  #isStopped = false;

  constructor(deliver: DeliverOnce) {
    this.#deliver = deliver;
  }

  /** Queues a webhook for its turn. One that waits or delivers is queued already. */
  add(webhook: WebhookKey): void {
    const name = nameOf(webhook);
    if (this.#isStopped || this.#known.has(name)) return;
    this.#known.add(name);
    // Each webhook takes its turns as a principal of its tenant does.
    this.#waiting.push({ tenant: webhook.tenantId, principal: webhook.webhookId }, webhook);
    this.#start();
  }

  /** Resolves when no webhook waits or delivers. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /** Starts no more deliveries, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settled();
  }

  #start(): void {
    const mayStart = ({ tenant }: Party): boolean =>
      mayTakeSlot(SLOTS, {
        inAll: this.#running.size,
        byTenant: this.#ofTenant.get(tenant) ?? 0,
      });
    while (!this.#isStopped && this.#running.size < SLOTS.inAll) {
      const webhook = this.#waiting.next(mayStart);
      if (webhook === undefined) return;
      this.#run(webhook);
    }
  }

  #run(webhook: WebhookKey): void {
    this.#count(webhook, 1);
    const running = this.#deliver(webhook).then((isMore) => {
      this.#running.delete(running);
      this.#count(webhook, -1);
      this.#known.delete(nameOf(webhook));
      if (isMore) this.add(webhook);
      this.#start();
    });
    this.#running.add(running);
  }

  #count({ tenantId }: WebhookKey, by: 1 | -1): void {
    const count = (this.#ofTenant.get(tenantId) ?? 0) + by;
    if (count === 0) this.#ofTenant.delete(tenantId);
    else this.#ofTenant.set(tenantId, count);
  }
}

/** Returns a name that no other webhook has: no tenant has a zero byte in its name. */
export function nameOf({ tenantId, webhookId }: WebhookKey): string {
  return `${tenantId}\0${webhookId}`;
}
