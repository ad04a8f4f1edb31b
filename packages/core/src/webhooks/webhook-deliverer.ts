/**
 * Finds the webhooks of a store of which a message is due, and has them deliver in turn. Commits
 * wake it where the store tells of them; elsewhere it looks each second.
 */
import { setMaxListeners } from 'node:events';
import { Sweeper } from '../runtime/services/sweeper.js';
import type { Store } from '../storage/store/store.js';
import { tenantOfChangeKey, tenantPartOf } from '../memory/writing/change-store.js';
import type { DeliveryParts } from './delivery-parts.js';
import { DeliveryTurns, nameOf } from './delivery-turns.js';
import { WebhookDelivery } from './webhook-delivery.js';
import type { WebhookKey } from './delivery-store.js';
import { listStoredWebhooks, tenantsWithWebhooks } from './webhook-store.js';

/** How often it looks for what is due. */
const LOOK_EVERY_MS = 1_000;
/** Tenants that are read at once. */
const TENANTS_AT_ONCE = 64;

/** Dependencies of the deliverer. */
export interface DelivererParts extends Omit<DeliveryParts, 'signal'> {
  /** The store itself. */
  readonly backend: Pick<Store, 'observe'>;
}

/** Nothing is due of a webhook until a time, or until a signal. */
interface Idle {
  readonly tenantId: string;
  /** `Infinity` for one that waits for a commit. */
  readonly untilMillis: number;
  /** The signals for its tenant that were heard before it was looked at. */
  readonly signals: number;
}

/** Delivers until it is stopped. */
export class WebhookDeliverer extends Sweeper {
  readonly #parts: DelivererParts;
  readonly #closing = new AbortController();
  /** The deliveries of each known webhook, by tenant and webhook. */
  readonly #deliveries = new Map<string, WebhookDelivery>();
  /** Those that are due. */
  readonly #turns = new DeliveryTurns((webhook) => this.#deliver(webhook));
  /** Webhooks of which nothing was due, by tenant and webhook. */
  readonly #idle = new Map<string, Idle>();
  /** The tenants that have webhooks, by the tenant part of keys. */
  #tenants = new Map<string, string>();
  /** Commits that changed the memory of a tenant with webhooks, by tenant. */
  readonly #commits = new Map<string, number>();
  /** How often a look at all webhooks was asked for. */
  #asked = 0;
  /** Webhooks that the last look found. */
  #known: number | undefined;
  #isWoken = false;

  /** Whether the store tells of its commits. */
  get #isTold(): boolean {
    return this.#parts.backend.observe !== undefined;
  }

  constructor(parts: DelivererParts) {
    super();
    this.#parts = parts;
    // Each attempt under way listens to it.
    setMaxListeners(0, this.#closing.signal);
    parts.backend.observe?.({
      committed: (writes) => {
        if (this.#tenants.size === 0) return;
        for (const [key] of writes) this.#noticeChange(tenantOfChangeKey(key));
      },
      failed: () => undefined,
    });
  }

  /** Starts delivering. */
  start(): void {
    this.wake();
    this.repeat(LOOK_EVERY_MS);
  }

  /** Looks at all webhooks soon, also at those that wait. */
  deliverSoon(): void {
    this.#known = undefined;
    this.#asked += 1;
    this.wake();
  }

  /** Resolves when nothing more is due now. */
  async settled(): Promise<void> {
    do {
      await this.sweep();
      await this.#turns.settled();
    } while (this.#isWoken);
  }

  /** Ends the attempts under way; their messages are sent again by who delivers next. */
  override async stop(): Promise<void> {
    this.#closing.abort();
    await super.stop();
    await this.#turns.stop();
    // What cannot be stored is examined again.
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

  /** Returns whether all webhooks wait: for a time, or for a commit that the store tells of. */
  #isQuiet(): boolean {
    if (!this.#isTold || this.#isWoken || this.#idle.size !== this.#known) return false;
    const nowMs = this.#parts.clock.now();
    return [...this.#idle.values()].every((idle) => this.#isIdle(idle, nowMs));
  }

  #isIdle({ tenantId, untilMillis, signals }: Idle, nowMs: number): boolean {
    return nowMs < untilMillis && signals === this.#signalsFor(tenantId);
  }

  /** Forgets webhooks that are deleted. */
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

  /** Delivers a message of a webhook if one is due. Returns whether to look at it again at once. */
  async #deliver(webhook: WebhookKey): Promise<boolean> {
    const { tenantId } = webhook;
    const name = nameOf(webhook);
    this.#idle.delete(name);
    // What is signalled meanwhile may be about this webhook.
    const signals = this.#signalsFor(tenantId);
    try {
      const next = await this.#deliveryOf(name, webhook).step();
      if (next === undefined) return true;
      // Where the store doesn't tell of its commits, each look is at all webhooks.
      const untilTold = this.#isTold ? Infinity : 0;
      this.#idle.set(name, { tenantId, untilMillis: next.untilMillis ?? untilTold, signals });
      return signals !== this.#signalsFor(tenantId);
    } catch {
      // The store failed: the next look tries again.
      return false;
    }
  }

  /** Returns a number that grows with each signal to look at the webhooks of a tenant. */
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
