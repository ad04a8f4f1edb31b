/** Sweeps that visit tenants one by one. */
import { clearInterval, setInterval } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, Transactions } from '../../storage/store/store.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import { namespacesAfter, type StoredNamespace } from '../access/namespace.js';

/** Sweeps at once when asked to, and at an interval. */
export abstract class Sweeper {
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #isStopped = false;

  /** Whether a long sweep should end after its current transaction. */
  protected get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Does all due work, in as many transactions as needed. */
  protected abstract sweepAll(): Promise<void>;

  /** Sweeps after the sweeps that were requested before; rejects if it fails. */
  sweep(): Promise<void> {
    const run = this.#running.catch(() => undefined).then(() => this.sweepAll());
    this.#running = run;
    return run;
  }

  /** Sweeps soon, in the background. A failed sweep is repeated in the next round. */
  wake(): void {
    this.sweep().catch(() => undefined);
  }

  /** Sweeps at an interval. */
  protected repeat(everyMs: number): void {
    this.#timer = setInterval(() => {
      this.wake();
    }, everyMs).unref();
  }

  /** Stops sweeping and waits for the running transaction. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#running.catch(() => undefined);
  }
}

/** Sweeps each tenant that has data, and lets other work run in between. */
export abstract class TenantSweeper extends Sweeper {
  readonly #store: Pick<Transactions, 'read'>;

  constructor(store: Pick<Transactions, 'read'>) {
    super();
    this.#store = store;
  }

  /** Does all due work of a tenant. */
  protected abstract sweepOf(tenantId: string): Promise<void>;

  /**
   * Does all due work of all tenants.
   *
   * @throws {AgentkeepError} the first failure. Other tenants are swept all the same.
   */
  protected override async sweepAll(): Promise<void> {
    const failures: unknown[] = [];
    let tenant: string | undefined;
    do {
      const after = tenant;
      tenant = await this.#store.read((tx) => nextTenantWithData(tx, after));
      if (tenant !== undefined && tenant !== INSTALLATION) {
        await this.sweepOf(tenant).catch((error: unknown) => failures.push(error));
      }
      await setImmediate();
    } while (tenant !== undefined && !this.isStopped);
    if (failures.length > 0) throw failures[0];
  }
}

/** Entries of one slice. */
export const SLICE_ENTRIES = 512;

/** What a walk needs of the request of a heavy call. */
export interface WalkingRequest {
  readonly runtime: { readonly store: Transactions };
  turn(): Promise<void>;
}

/** Returns what a walk outside of a call needs: other work runs between its slices. */
export function walkOver(store: Transactions): WalkingRequest {
  return { runtime: { store }, turn: () => setImmediate() };
}

/** Yields the namespaces of a tenant in the order of digests, a slice in each turn. */
export async function* namespaceSlices(
  request: WalkingRequest,
  tenantId: string,
  from?: Uint8Array,
): AsyncGenerator<StoredNamespace[], void> {
  let after = from;
  for (;;) {
    const slice = await request.runtime.store.read((tx: ReadTx) =>
      namespacesAfter(tx, tenantId, { after, limit: SLICE_ENTRIES }),
    );
    yield slice;
    after = slice.at(-1)?.digest;
    if (slice.length < SLICE_ENTRIES) return;
    await request.turn();
  }
}
