/** What waits in a store for people, consumers and receivers of webhooks, for operators' gauges. */
import { PROPOSALS_MAX } from '../domains/memory/branch/proposal-policy.js';
import { proposalsAfter } from '../domains/memory/branch/proposal-store.js';
import {
  memoryConsumers,
  CONSUMERS_OF_TENANT_MAX,
} from '../domains/memory/consumers/consumer-store.js';
import { changesBetween } from '../domains/memory/journal/change-store.js';
import { webhookDeliveries } from '../domains/webhooks/delivery-store.js';
import { WEBHOOKS_MAX } from '../contract/limits.js';
import { TenantSweeper } from '../kernel/services/sweeper.js';
import { LAST_POSITION } from '../storage/store/position.js';
import type { ReadTx } from '../storage/store/store.js';
import type { Runtime } from '../kernel/services/runtime.js';

/** What waits, over all tenants. */
export interface Backlog {
  /** Proposals of memory that wait for a review. */
  readonly proposals: number;
  /** Age of the oldest change that a consumer has not committed, in milliseconds; 0 without one. */
  readonly consumerLagMs: number;
  /** Webhooks whose last attempt failed, so that their changes wait for the next one. */
  readonly webhooks: number;
}

/** How long a count is used, in milliseconds, before the store is counted again. */
const FRESH_MS = 60_000;

const NOTHING: Backlog = { proposals: 0, consumerLagMs: 0, webhooks: 0 };

/**
 * Counts a store tenant by tenant, while it is asked for. A tenant whose key is away is left out,
 * because its consumers cannot be read.
 */
export class BacklogCounter extends TenantSweeper {
  readonly #runtime: Runtime;
  #counted = NOTHING;
  #found: Backlog | undefined;
  #beganMs = -Infinity;

  constructor(runtime: Runtime) {
    super(runtime.store);
    this.#runtime = runtime;
  }

  /** Returns the last count, and begins another one if that is old. */
  get latest(): Backlog | undefined {
    const nowMs = this.#runtime.clock.monotonic();
    if (nowMs - this.#beganMs >= FRESH_MS) {
      this.#beganMs = nowMs;
      this.wake();
    }
    return this.#found;
  }

  protected override async sweepAll(): Promise<void> {
    this.#counted = NOTHING;
    await super.sweepAll();
    this.#found = this.#counted;
  }

  protected override async sweepOf(tenantId: string): Promise<void> {
    const { store, clock } = this.#runtime;
    const nowMs = clock.now();
    const found = await store.read((tx) => backlogOf(tx, tenantId, nowMs)).catch(() => NOTHING);
    const { proposals, consumerLagMs, webhooks } = this.#counted;
    this.#counted = {
      proposals: proposals + found.proposals,
      consumerLagMs: Math.max(consumerLagMs, found.consumerLagMs),
      webhooks: webhooks + found.webhooks,
    };
  }
}

function backlogOf(tx: ReadTx, tenantId: string, nowMs: number): Backlog {
  const consumers = memoryConsumers.values(tx, tenantId, {
    prefix: [],
    limit: CONSUMERS_OF_TENANT_MAX,
  });
  const lags = consumers.map(({ position: from }) => {
    const [next] = changesBetween(tx, tenantId, { from, to: LAST_POSITION, limit: 1 });
    return next === undefined ? 0 : Math.max(0, nowMs - next.committedAtMillis);
  });
  const deliveries = webhookDeliveries.values(tx, tenantId, { prefix: [], limit: WEBHOOKS_MAX });
  return {
    proposals: proposalsAfter(tx, tenantId, 'proposed', { limit: PROPOSALS_MAX }).length,
    consumerLagMs: Math.max(0, ...lags),
    webhooks: deliveries.filter(({ message }) => (message?.attempts ?? 0) > 0).length,
  };
}
