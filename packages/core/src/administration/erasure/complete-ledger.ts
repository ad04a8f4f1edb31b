/** Adds to a ledger what the store has and it lacks: it was lost, or another server erased. */
import { erasuresEnded } from '../../memory/record/removal-store.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { Transactions } from '../../storage/store/store.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import type { StoredErasure } from './erasure-store.js';
import { erasuresOf } from './erased-since.js';
import type { Ledger } from './ledger.js';

/** Tenants that one read finds. */
const TENANTS_AT_ONCE = 64;

/** Keeps a ledger complete. */
export class LedgerKeeper {
  readonly #store: Transactions;
  readonly #ledger: Ledger;
  /** How many erasures had ended when the store was last looked through. */
  #ended = 0;

  constructor(store: Transactions, ledger: Ledger) {
    this.#store = store;
    this.#ledger = ledger;
  }

  /** Looks through the store if an erasure has ended since the last time. */
  async complete(): Promise<void> {
    const ended = await this.#store.read(erasuresEnded);
    if (ended === this.#ended) return;
    const finished: StoredErasure[] = [];
    for await (const tenantId of this.#authorities()) {
      for await (const erasure of erasuresOf(this.#store, tenantId)) {
        if (erasure.finishedAtMillis !== null) finished.push(erasure);
      }
    }
    await this.#ledger.add(finished);
    this.#ended = ended;
  }

  async *#authorities(): AsyncGenerator<string, void> {
    yield INSTALLATION;
    let after: string | undefined = INSTALLATION;
    while (after !== undefined) {
      const from: string = after;
      const found = await this.#store.read((tx) => {
        const ids: string[] = [];
        let last: string | undefined = from;
        while (ids.length < TENANTS_AT_ONCE) {
          last = nextTenantWithData(tx, last);
          if (last === undefined) break;
          ids.push(last);
        }
        return ids;
      });
      yield* found;
      after = found.length === TENANTS_AT_ONCE ? found.at(-1) : undefined;
    }
  }
}
