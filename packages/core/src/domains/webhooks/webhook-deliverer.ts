/**
 * Finds the webhooks of a store with due messages, and queues their deliveries. Commits wake it if
 * the store reports them; otherwise it looks each second.
 */
import { setMaxListeners } from 'node:events';
import { Sweeper } from '../../kernel/services/sweeper.js';
import type { Store } from '../../storage/store/store.js';
import { tenantOfChangeKey, tenantPartOf } from '../memory/journal/change-store.js';
import type { DeliveryParts } from './delivery-port.js';
import { DeliveryTurns, nameOf } from './delivery-turns.js';
import { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookKey } from './delivery-store.js';
import { listStoredWebhooks, tenantsWithWebhooks } from './webhook-store.js';

/** Interval of the look for due messages. */
const LOOK_EVERY_MS = 1_000;
/** Tenants that are read at once. */
const TENANTS_AT_ONCE = 64;

/** Dependencies of the deliverer. */
export interface DelivererParts extends Omit<DeliveryParts, 'signal'> {
  /** The store itself. */
  readonly backend: Pick<Store, 'observe'>;
}

/** The state of a webhook that has nothing due until a time, or until a signal. */
interface Idle {
  readonly tenantId: string;
  /** `Infinity` for a webhook that waits for a commit. */
  readonly untilMillis: number;
  /** The number of signals for its tenant before it was examined. */
  readonly signals: number;
}

/** Delivers until it is stopped. */
export class WebhookDeliverer extends Sweeper {
  readonly #parts: DelivererParts;
  readonly #closing = new AbortController();
  /** The deliveries of each known webhook, by tenant and webhook. */
  readonly #deliveries = new Map<string, WebhookDelivery>();
  /** The due deliveries. */
  readonly #turns = new DeliveryTurns((webhook) => this.#deliver(webhook));
  /** Webhooks that had nothing due, by tenant and webhook. */
  readonly #idle = new Map<string, Idle>();
  /** The tenants that have webhooks, by the tenant part of keys. */
  #tenants = new Map<string, string>();
  /** Commits that changed the memory of a tenant with webhooks, by tenant. */
  readonly #commits = new Map<string, number>();
  /** How often an examination of all webhooks was requested. */
  #asked = 0;
  /** The number of webhooks that the last examination found. */
  #known: number | undefined;
  #isWoken = false;

  /** Whether the store reports its commits. */
  get #isTold(): boolean {
    return this.#parts.backend.observe !== undefined;
  }

  constructor(parts: DelivererParts) {
    super();
    this.#parts = parts;
    // Each running attempt listens to it.
    setMaxListeners(0, this.#closing.signal);
    parts.backend.observe?.({
      committed: (writes) => {
        if (this.#tenants.size === 0) return;
        for (const key of writes.keys()) this.#noticeChange(tenantOfChangeKey(key));
      },
      failed: () => undefined,
    });
  }

  /** Starts delivering. */
  start(): void {
    this.wake();
    this.repeat(LOOK_EVERY_MS);
  }

  /** Examines all webhooks soon, including idle ones. */
  deliverSoon(): void {
    this.#known = undefined;
    this.#asked += 1;
    this.wake();
  }

  /** Resolves when nothing is due any more. */
  async settled(): Promise<void> {
    do {
      await this.sweep();
      await this.#turns.settled();
    } while (this.#isWoken);
  }

  /** Ends the running attempts; the next deliverer sends their messages again. */
  override async stop(): Promise<void> {
    this.#closing.abort();
    await super.stop();
    await this.#turns.stop();
    // Positions that cannot be stored are examined again.
    await Promise.allSettled([...this.#deliveries.values()].map((each) => each.storeExamined()));
  }

  protected override async sweepAll(): Promise<void> {
    if (this.#isQuiet()) return;
    this.#isWoken = false;
    const tenants = new Map<string, string>();
    let after: string | undefined;
    do {
      const from = after;
      const limit = TENANTS_AT_ONCE;
      const names = await this.#parts.store.read((tx) =>
        tenantsWithWebhooks(tx, { after: from, limit }),
      );
      for (const name of names) tenants.set(tenantPartOf(name), name);
      after = names.length === limit ? names.at(-1) : undefined;
    } while (after !== undefined && !this.isStopped);
    this.#tenants = tenants;
    const seen = new Set<string>();
    this.#known = undefined;
    for (const tenantId of tenants.values()) {
      if (this.isStopped) return;
      for (const name of await this.#addDue(tenantId)) seen.add(name);
    }
    this.#known = seen.size;
    this.#forgetOthers(seen);
  }

  /** Returns whether all webhooks wait: for a time, or for a commit that the store reports. */
  #isQuiet(): boolean {
    if (!this.#isTold || this.#isWoken || this.#idle.size !== this.#known) return false;
    const nowMs = this.#parts.clock.now();
    return [...this.#idle.values()].every((idle) => this.#isIdle(idle, nowMs));
  }

  #isIdle({ tenantId, untilMillis, signals }: Idle, nowMs: number): boolean {
    return nowMs < untilMillis && signals === this.#signalsFor(tenantId);
  }

  /** Forgets deleted webhooks. */
  #forgetOthers(present: ReadonlySet<string>): void {
    for (const map of [this.#deliveries, this.#idle]) {
      for (const name of map.keys()) if (!present.has(name)) map.delete(name);
    }
    const tenants = new Set(this.#tenants.values());
    for (const tenantId of this.#commits.keys()) {
      if (!tenants.has(tenantId)) this.#commits.delete(tenantId);
    }
  }

  /** Returns the names of the tenant's webhooks. */
  async #addDue(tenantId: string): Promise<string[]> {
    const nowMs = this.#parts.clock.now();
    const webhooks = await this.#parts.store.read((tx) => listStoredWebhooks(tx, tenantId));
    return webhooks.map(({ id }) => {
      const webhook = { tenantId, webhookId: id };
      const name = nameOf(webhook);
      const idle = this.#idle.get(name);
      if (idle === undefined || !this.#isIdle(idle, nowMs)) this.#turns.add(webhook);
      return name;
    });
  }

  /** Delivers a message of a webhook if one is due. Returns whether to examine it again at once. */
  async #deliver(webhook: WebhookKey): Promise<boolean> {
    const { tenantId } = webhook;
    const name = nameOf(webhook);
    this.#idle.delete(name);
    // A signal that arrives meanwhile may be about this webhook.
    const signals = this.#signalsFor(tenantId);
    try {
      const next = await this.#deliveryOf(name, webhook).step();
      if (next === undefined) return true;
      // If the store doesn't report its commits, each examination covers all webhooks.
      const untilTold = this.#isTold ? Infinity : 0;
      this.#idle.set(name, { tenantId, untilMillis: next.untilMillis ?? untilTold, signals });
      return signals !== this.#signalsFor(tenantId);
    } catch {
      // The store failed: the next examination tries again.
      return false;
    }
  }

  /** Returns a number that grows with each signal to examine the webhooks of a tenant. */
  #signalsFor(tenantId: string): number {
    return this.#asked + (this.#commits.get(tenantId) ?? 0);
  }

  #deliveryOf(name: string, key: WebhookKey): WebhookDelivery {
    const known = this.#deliveries.get(name);
    if (known !== undefined) return known;
    const made = new WebhookDelivery({ ...this.#parts, signal: this.#closing.signal }, key);
    this.#deliveries.set(name, made);
    return made;
  }

  #noticeChange(tenant: string | undefined): void {
    const tenantId = tenant === undefined ? undefined : this.#tenants.get(tenant);
    if (tenantId === undefined) return;
    this.#commits.set(tenantId, (this.#commits.get(tenantId) ?? 0) + 1);
    if (this.#isWoken) return;
    this.#isWoken = true;
    this.wake();
  }
}
