/**
 * Adds missing tenants and accounts to the directories before anything is served, in short batches
 * (docs/contract/directory.md).
 */
import { setImmediate } from 'node:timers/promises';
import { hasDirectoryEntry, putDirectoryEntry, storedAccounts } from './account/account-store.js';
import type { StoredAccount } from './account/stored-account.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, Transactions, WriteTx } from '../../storage/store/store.js';
import type { Batch, ReadableBatch } from '../../storage/store/subspace.js';
import {
  hasTenantEntry,
  putTenantEntry,
  type StoredTenant,
  storedTenants,
} from '../tenancy/tenant/tenant-store.js';

/** Records of one read. */
const BATCH = 256;

/** A directory and the records that belong in it. */
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
 * Adds missing entries and returns how many there were. A damaged record is skipped, so that it
 * blocks nothing but itself.
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
    // A read alone does not let other work run.
    await setImmediate();
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
