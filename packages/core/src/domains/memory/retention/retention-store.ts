/** Settings of retention in the store: that of a tenant, and those of its scopes. */
import {
  type Namespace,
  type NamespaceParts,
  scopeDigest,
} from '../../../kernel/access/namespace.js';
import {
  addedLast,
  fieldsLayout,
  json,
  nested,
  number,
  orNull,
} from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import {
  DEFAULT_RETENTION,
  narrowed,
  type Retention,
  type RetentionSetting,
  tenantRetention,
} from './retention-policy.js';

/** A stored setting. */
export interface StoredRetention {
  /** Number of changes; 0 for a tenant without a setting of its own. */
  readonly revision: number;
  /** The readable scope; null for the setting of the tenant. */
  readonly scope: NamespaceParts | null;
  /** Whether the tenant has settings of scopes, so that others cost no look-up. */
  readonly hasScopes: boolean;
  readonly setting: RetentionSetting;
  /** Whether commands wait for review; null if nothing is said. */
  readonly review: 'required' | null;
}

/** Retention of a tenant's memory, by scope digest; that of the tenant under 32 zero bytes. */
export const memoryRetention = defineFamily({
  name: 'memoryRetention',
  number: 76,
  key: ['digest'],
  layout: fieldsLayout<StoredRetention>(1, {
    revision: number,
    scope: json<NamespaceParts | null>(),
    hasScopes: json<boolean>(),
    setting: nested<RetentionSetting>({
      revisionsMax: orNull(number),
      revisionDays: orNull(number),
      deletedDays: orNull(number),
      lifetimeSeconds: orNull(number),
      expiredDays: orNull(number),
      readDays: orNull(number),
    }),
    review: addedLast<'required'>(),
  }),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
  traces: { mayLackNamespace: true },
});

/** In keys, the digest of the setting of a tenant. No scope has this digest. */
const OF_TENANT = Buffer.alloc(32);

/** Identifies the setting of a scope, or of the whole tenant if `digest` is null. */
export interface RetentionKey {
  readonly tenantId: string;
  /** See {@link scopeDigest}. */
  readonly digest: Uint8Array | null;
}

/** Returns a setting, or `undefined`. */
export function findRetention(
  tx: ReadTx,
  { tenantId, digest }: RetentionKey,
): StoredRetention | undefined {
  const place = digest ?? OF_TENANT;
  // Most tenants and scopes have none, which is remembered too.
  return memoryRetention.grouped(tx, tenantId, [place], () => {
    const found = memoryRetention.measured(tx, tenantId, place);
    return { value: { setting: found?.value }, bytes: found?.bytes ?? 0 };
  }).setting;
}

/** Stores a setting. */
export function putRetention(
  tx: WriteTx,
  { tenantId, digest }: RetentionKey,
  stored: StoredRetention,
): void {
  memoryRetention.put(tx, stored, tenantId, digest ?? OF_TENANT);
}

/** Returns whether commands in a namespace wait for review: never in private ones. */
export function requiresReview(tx: ReadTx, { tenantId, parts }: Namespace): boolean {
  if (parts[3] !== 'shared') return false;
  const ofTenant = findRetention(tx, { tenantId, digest: null });
  if (ofTenant === undefined) return false;
  if (ofTenant.review !== null || !ofTenant.hasScopes) return ofTenant.review !== null;
  return findRetention(tx, { tenantId, digest: scopeDigest(parts) })?.review === 'required';
}

/** Returns the retention that holds for the records of a namespace. */
export function retentionOf(tx: ReadTx, namespace: Namespace): Retention {
  const { tenantId } = namespace;
  const ofTenant = findRetention(tx, { tenantId, digest: null });
  if (ofTenant === undefined) return DEFAULT_RETENTION;
  const tenant = tenantRetention(ofTenant.setting);
  if (!ofTenant.hasScopes) return tenant;
  const ofScope = findRetention(tx, { tenantId, digest: scopeDigest(namespace.parts) });
  return narrowed(tenant, ofScope?.setting);
}
