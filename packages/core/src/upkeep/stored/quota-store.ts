/** Storage quotas in the store: the bounds of a tenant, its use, and how far that is counted. */
import { asBuffer, copyBytes } from '../../storage/store/bytes.js';
import { findMarker, putMarker } from '../../kernel/installation/marker-store.js';
import {
  addedLast,
  coded,
  fieldsLayout,
  json,
  number,
  text,
  type ValueOf,
} from '../../storage/store/fields.js';
import { defineFamily } from '../../storage/store/family.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';

const quotaLayout = fieldsLayout(1, {
  tenantId: text,
  maxEntries: json<number | null>(),
  maxBytes: json<number | null>(),
  /** Entries of the tenant before `countedTo`. */
  entries: number,
  /** Bytes of their keys and values. */
  bytes: number,
  /** The key before which everything is counted; null once all entries are counted. */
  countedTo: coded<Uint8Array | null, string | null>(
    (key) => (key === null ? null : asBuffer(key).toString('hex')),
    (hex) => (hex === null ? null : Buffer.from(hex, 'hex')),
  ),
  /** Null until the bounds change, in a quota that was set before changes were counted. */
  revision: addedLast<number>(),
});

/** The storage quota of a tenant and what it uses. */
export type StoredQuota = ValueOf<typeof quotaLayout>;

/** Installation: the storage quota of a tenant and what it uses, by tenant id. */
export const storageQuotas = defineFamily({
  name: 'storageQuotas',
  number: 62,
  key: ['text'],
  layout: quotaLayout,
  sealedBy: null,
  owner: 'named_tenant',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
});

/** Returns the quota of a tenant, or `undefined` if it has none. */
export function findQuota(tx: ReadTx, tenantId: string): StoredQuota | undefined {
  return storageQuotas.get(tx, INSTALLATION, tenantId);
}

/** Stores a quota. */
export function putQuota(tx: WriteTx, quota: StoredQuota): void {
  storageQuotas.put(tx, quota, INSTALLATION, quota.tenantId);
}

/** Removes a quota and the use with it. */
export function removeQuota(tx: WriteTx, tenantId: string): void {
  tx.remove(storageQuotas.keyOf(INSTALLATION, tenantId));
}

/**
 * Returns the next revision of a quota. All quotas of an installation count on together, so that
 * a quota that is removed and set again has no revision that it had before.
 */
export function nextQuotaRevision(tx: WriteTx): number {
  const revision = Number(findMarker(tx, 'storage_quota_revision') ?? 1) + 1;
  putMarker(tx, 'storage_quota_revision', revision);
  return revision;
}

/** Returns the keys of the first quotas, in the order of keys. */
export function holderKeys(tx: ReadTx, limit: number): Uint8Array[] {
  const entries = storageQuotas.entries(tx, INSTALLATION, { prefix: [], limit });
  return Array.from(entries, ({ key }) => copyBytes(key));
}

/** Returns the next quotas after a tenant, in the order of keys. */
export function listQuotas(
  tx: ReadTx,
  after: string | undefined,
  limit: number,
): readonly StoredQuota[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return storageQuotas.values(tx, INSTALLATION, { prefix: [], after: start, limit });
}
