/** What waits in a store for people, consumers and receivers of webhooks, for operators' gauges. */
import type { Runtime } from '../../kernel/services/runtime.js';
import { TenantSweeper } from '../../kernel/services/sweeper.js';
import type { ReadTx } from '../../storage/store/store.js';

/** What waits, over all tenants. */
export interface Backlog {
  /** Proposals of memory that wait for a review. */
  readonly proposals: number;
  /** Age of the oldest change that a consumer has not committed, in milliseconds; 0 without one. */
  readonly consumerLagMs: number;
  /** Webhooks whose last attempt failed, so that their changes wait for the next one. */
  readonly webhooks: number;
}

/** Counts what waits in a domain for one tenant. */
export type CountBacklog = (tx: ReadTx, tenantId: string, nowMs: number) => Partial<Backlog>;

/** How long a count is used, in milliseconds, before the store is counted again. */
const FRESH_MS = 60_000;

const NOTHING: Backlog = { proposals: 0, consumerLagMs: 0, webhooks: 0 };

/**
 * Counts a store tenant by tenant, while it is asked for. A tenant whose key is away is left out,
 * because its consumers cannot be read.
 */
export class BacklogCounter extends TenantSweeper {
  readonly #parts: Pick<Runtime, 'store' | 'clock'>;
  readonly #domains: readonly CountBacklog[];
  #counted = NOTHING;
  #found: Backlog | undefined;
  #beganMs = -Infinity;

  constructor(parts: Pick<Runtime, 'store' | 'clock'>, domains: readonly CountBacklog[]) {
    super(parts.store);
    this.#parts = parts;
    this.#domains = domains;
  }

  /** Returns the last count, and begins another one if that is old. */
  get latest(): Backlog | undefined {
    const nowMs = this.#parts.clock.monotonic();
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
    const { store, clock } = this.#parts;
    const nowMs = clock.now();
    const found = await store
      .read((tx) => this.#domains.map((count) => count(tx, tenantId, nowMs)))
      .catch(() => []);
    this.#counted = found.reduce<Backlog>(added, this.#counted);
  }
}

function added(sum: Backlog, { proposals = 0, consumerLagMs = 0, webhooks = 0 }: Partial<Backlog>) {
  return {
    proposals: sum.proposals + proposals,
    consumerLagMs: Math.max(sum.consumerLagMs, consumerLagMs),
    webhooks: sum.webhooks + webhooks,
  };
}
