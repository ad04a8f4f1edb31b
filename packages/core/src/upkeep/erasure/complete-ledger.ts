/**
 * Finds the finished erasures of a whole store, and keeps a ledger complete: its file was lost or
 * changed, or another server erased.
 */
import { erasuresEnded } from '../../kernel/erased/removal-store.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { Transactions } from '../../storage/store/store.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import { erasuresOf } from './erased-since.js';
import { finishedIdsAfter, type StoredErasure } from '../stored/erasure-store.js';
import type { Ledger } from './ledger.js';

/** Tenants that one read finds. */
const TENANTS_AT_ONCE = 64;
/** Ids that one read finds. */
const IDS_AT_ONCE = 256;

/** A store, as far as it is read here. */
type Readable = Pick<Transactions, 'read'>;

/** Returns the finished erasures of a store. */
export async function finishedErasures(store: Readable): Promise<StoredErasure[]> {
  const finished: StoredErasure[] = [];
  for await (const tenantId of authoritiesIn(store)) {
    for await (const erasure of erasuresOf(store, tenantId)) {
      if (erasure.finishedAtMillis !== null) finished.push(erasure);
    }
  }
  return finished;
}

/** Returns the ids of the finished erasures of a store, whether its values can be read or not. */
export async function finishedIds(store: Readable): Promise<string[]> {
  const finished: string[] = [];
  for await (const tenantId of authoritiesIn(store)) {
    let after: string | undefined;
    do {
      const range = { after, limit: IDS_AT_ONCE };
      const found = await store.read((tx) => finishedIdsAfter(tx, tenantId, range));
      finished.push(...found.ids);
      after = found.last;
    } while (after !== undefined);
  }
  return finished;
}

/** Yields the installation, and then the tenants that have data. */
async function* authoritiesIn(store: Readable): AsyncGenerator<string, void> {
  yield INSTALLATION;
  let after: string | undefined = INSTALLATION;
  while (after !== undefined) {
    const from: string = after;
    const found = await store.read((tx) => {
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
    if (ended !== this.#ended) {
      await this.#ledger.add(await finishedErasures(this.#store));
      this.#ended = ended;
    }
    await this.#ledger.putBack();
  }
}
