/**
 * Gives every tenant and every account its place in the directories before anything is served, in
 * batches that hold up nothing for long (contract, administration 6).
 *
 * @module
 */
import { hasDirectoryEntry, putDirectoryEntry, storedAccounts } from './account/account-store.js';
import type { StoredAccount } from './account/stored-account.js';
import { INSTALLATION } from '../storage/store/keyspace.js';
import type { ReadTx, Transactions, WriteTx } from '../storage/store/store.js';
import type { Batch, ReadableBatch } from '../storage/store/subspace.js';
import {
  hasTenantEntry,
  putTenantEntry,
  type StoredTenant,
  storedTenants,
} from '../identity/tenant/tenant-store.js';

/** Records of one read. */
const BATCH = 256;

/** A directory, and what belongs into it. */
interface Directory<T> {
  readonly read: (tx: ReadTx, batch: Batch) => ReadableBatch<T>;
  readonly has: (tx: ReadTx, record: T) => boolean;
  readonly put: (tx: WriteTx, record: T) => void;
}

const tenantDirectory: Directory<StoredTenant> = {
  read: storedTenants,
  has: (tx, { tenantId }) => hasTenantEntry(tx, tenantId),
  put: (tx, { tenantId }) => {
    putTenantEntry(tx, tenantId);
  },
};

const accountDirectory = (authority: string): Directory<StoredAccount> => ({
  read: (tx, batch) => storedAccounts(tx, authority, batch),
  has: hasDirectoryEntry,
  put: putDirectoryEntry,
});

/**
 * Adds the entries that are missing; tells how many there were. A damaged record is left alone, so
 * that it keeps nothing but itself from being served.
 */
export async function repairDirectories(store: Transactions): Promise<number> {
  const authorities = [INSTALLATION];
  let repaired = await repair(store, tenantDirectory, ({ tenantId }) => {
    authorities.push(tenantId);
  });
  for (const authority of authorities) repaired += await repair(store, accountDirectory(authority));
  return repaired;
}

async function repair<T>(
  store: Transactions,
  { read, has, put }: Directory<T>,
  visit: (record: T) => void = () => undefined,
): Promise<number> {
  let repaired = 0;
  let from: Uint8Array | undefined;
  do {
    const at = from;
    const { values, next, missing } = await store.read((tx) => {
      const batch = read(tx, { from: at, limit: BATCH });
      return { ...batch, missing: batch.values.filter((record) => !has(tx, record)) };
    });
    values.forEach(visit);
    if (missing.length > 0) {
      await store.transact((tx) => {
        for (const record of missing) put(tx, record);
      });
      repaired += missing.length;
    }
    from = next;
  } while (from !== undefined);
  return repaired;
}
