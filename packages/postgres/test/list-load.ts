/**
 * Sends random transactions over lists to several stores on one database.
 */
import { keyBytes, keyText, type ReadTx, type Store } from '@agentkeep/core/store';
import type { ListTransaction } from './list-history.js';

/** Lists of two tenants, some in one subspace, like keys of a keep. */
const NAMES = ['a\0\x05one', 'a\0\x05two', 'a\0\x07one', 'b\0\x05one', '\0\x09all'];

/** Parameters of a load. */
export interface ListLoad {
  readonly stores: readonly Store[];
  readonly transactions: number;
  /** Number of concurrent transactions. */
  readonly callers: number;
  readonly random: () => number;
  /** Prefix of the ids of its transactions. */
  readonly name?: string;
}

/** Outcome of a load. */
export interface ListOutcome {
  /** Transactions that were answered. */
  readonly history: readonly ListTransaction[];
  /** Errors of transactions with an unknown outcome. */
  readonly failures: readonly unknown[];
}

/** Runs all transactions of a load. */
export async function runListLoad(load: ListLoad): Promise<ListOutcome> {
  const history: ListTransaction[] = [];
  const failures: unknown[] = [];
  let begun = 0;
  const caller = async (): Promise<void> => {
    while (begun < load.transactions) {
      begun += 1;
      try {
        history.push(await runOne(load, `${load.name ?? 't'}${String(begun)}`));
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: load.callers }, caller));
  return { history, failures };
}

/** Reads all lists. */
export function readLists(store: Store): Promise<Map<string, readonly string[]>> {
  return store.read((tx) => new Map(NAMES.map((name) => [name, listOf(tx, name)])));
}

async function runOne({ stores, random }: ListLoad, id: string): Promise<ListTransaction> {
  const pick = (count: number): number => Math.floor(random() * count);
  const store = stores[pick(stores.length)];
  if (store === undefined) throw new Error('The load has no stores.');
  const reads = NAMES.filter(() => pick(3) === 0);
  const appended = NAMES.filter(() => pick(4) === 0);
  const isWalking = pick(4) === 0;
  const startedAt = performance.now();
  const look = (tx: ReadTx): Map<string, readonly string[]> => {
    const seen = new Map(reads.map((name) => [name, listOf(tx, name)]));
    return isWalking ? new Map([...seen, ...walk(tx)]) : seen;
  };
  const seen =
    appended.length === 0 && pick(2) === 0
      ? await store.read(look)
      : await store.transact((tx) => {
          const found = look(tx);
          for (const name of appended) {
            const list = listOf(tx, name);
            found.set(name, list);
            tx.put(keyBytes(name), Buffer.from([...list, id].join()));
          }
          return found;
        });
  return { id, startedAt, answeredAt: performance.now(), seen, appended };
}

/** Reads the lists of one subspace as a range; absent lists are empty. */
function walk(tx: ReadTx): Map<string, readonly string[]> {
  const seen = new Map<string, readonly string[]>(
    NAMES.filter((name) => name.startsWith('a\0\x05')).map((name) => [name, []]),
  );
  for (const { key, value } of tx.range({ from: keyBytes('a\0\x05'), to: keyBytes('a\0\x06') })) {
    seen.set(keyText(key), parts(value));
  }
  return seen;
}

function listOf(tx: ReadTx, name: string): string[] {
  return parts(tx.get(keyBytes(name)));
}

function parts(value: Uint8Array | undefined): string[] {
  return value === undefined ? [] : Buffer.from(value).toString().split(',');
}
