/** Background work that goes through all tenants, one after the other. */
import { setImmediate } from 'node:timers/promises';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Transactions } from '../../storage/store/store.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import { Sweeper } from './sweeper.js';

/** Sweeps each tenant that has data, and lets other work run in between. */
export abstract class TenantSweeper extends Sweeper {
  readonly #store: Pick<Transactions, 'read'>;

  constructor(store: Pick<Transactions, 'read'>) {
    super();
    this.#store = store;
  }

  /** Does all due work of a tenant. */
  protected abstract sweepOf(tenantId: string): Promise<void>;

  /** Does all due work of all tenants. */
  protected override async sweepAll(): Promise<void> {
    let tenant: string | undefined;
    do {
      const after = tenant;
      tenant = await this.#store.read((tx) => nextTenantWithData(tx, after));
      if (tenant !== undefined && tenant !== INSTALLATION) await this.sweepOf(tenant);
      await setImmediate();
    } while (tenant !== undefined && !this.isStopped);
  }
}
