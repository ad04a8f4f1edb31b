/**
 * Gives every tenant and every account its place in the directories before anything is served, in
 * batches that hold up nothing for long (contract, administration 6).
 *
 * @module
 */
import {
  hasDirectoryEntry,
  putDirectoryEntry,
  type StoredAccount,
  storedAccounts,
} from '../account/account-store.js';
import { INSTALLATION } from '../store/keyspace.js';
import type { ReadTx, Store, WriteTx } from '../store/store.js';
import {
  hasTenantEntry,
  putTenantEntry,
  type StoredTenant,
  storedTenants,
} from '../tenant/tenant-store.js';

/** Records of one read. */
const BATCH = 256;

/** Where a batch goes on. */
interface Batch {
  readonly after: string | undefined;
  readonly limit: number;
}

/** Adds the entries that are missing; tells how many there were. */
export async function repairDirectories(store: Store): Promise<number> {
  let repaired = 0;
  const authorities = [INSTALLATION];
  await eachBatch(store, storedTenants, tenantPlace, async (tenants) => {
    authorities.push(...tenants.map(({ tenantId }) => tenantId));
    repaired += await addMissing(store, tenants, hasTenant, putTenant);
  });
  for (const authority of authorities) {
    const read = (tx: ReadTx, page: Batch): StoredAccount[] => storedAccounts(tx, authority, page);
    await eachBatch(store, read, accountPlace, async (accounts) => {
      repaired += await addMissing(store, accounts, hasDirectoryEntry, putDirectoryEntry);
    });
  }
  return repaired;
}

async function eachBatch<T>(
  store: Store,
  read: (tx: ReadTx, page: Batch) => T[],
  placeOf: (last: T) => string,
  visit: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const from = after;
    const batch = await store.read((tx) => read(tx, { after: from, limit: BATCH }));
    await visit(batch);
    const last = batch.at(-1);
    if (last === undefined || batch.length < BATCH) return;
    after = placeOf(last);
  }
}

async function addMissing<T>(
  store: Store,
  records: readonly T[],
  has: (tx: ReadTx, record: T) => boolean,
  put: (tx: WriteTx, record: T) => void,
): Promise<number> {
  const missing = await store.read((tx) => records.filter((record) => !has(tx, record)));
  if (missing.length === 0) return 0;
  await store.transact((tx) => {
    for (const record of missing) put(tx, record);
  });
  return missing.length;
}

const tenantPlace = ({ tenantId }: StoredTenant): string => tenantId;
const accountPlace = ({ id }: StoredAccount): string => id;
const hasTenant = (tx: ReadTx, { tenantId }: StoredTenant): boolean => hasTenantEntry(tx, tenantId);
const putTenant = (tx: WriteTx, { tenantId }: StoredTenant): void => {
  putTenantEntry(tx, tenantId);
};
