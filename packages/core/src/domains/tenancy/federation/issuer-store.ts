/** The issuers that a tenant trusts, in the store. */
import {
  boolean,
  fieldsLayout,
  json,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { IssuerKeys, TrustedIssuer } from './schema.js';

const issuerLayout = fieldsLayout(1, {
  tenantId: text,
  name: text,
  revision: number,
  issuer: json<string | null>(),
  audience: text,
  keys: json<IssuerKeys>(),
  isBlocked: boolean,
  updatedAtMillis: number,
  /** Id of the credential that made the revision. */
  updatedBy: text,
});

/** A stored issuer. */
export type StoredIssuer = ValueOf<typeof issuerLayout>;

/** Issuers that a tenant trusts, by their names in the tenant. */
export const trustedIssuers = defineFamily({
  name: 'trustedIssuers',
  number: 57,
  key: ['text'],
  layout: issuerLayout,
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
});

/** Returns the issuer of a tenant with this name, or `undefined`. */
export function findIssuer(tx: ReadTx, tenantId: string, name: string): StoredIssuer | undefined {
  return trustedIssuers.get(tx, tenantId, name);
}

/** Stores a new or changed issuer. */
export function putIssuerState(tx: WriteTx, issuer: StoredIssuer): void {
  trustedIssuers.put(tx, issuer, issuer.tenantId, issuer.name);
}

/** Returns a page of the issuers of a tenant, in ascending order of name. */
export function issuersAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): StoredIssuer[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return trustedIssuers.values(tx, tenantId, { prefix: [], after: start, limit });
}

/** Returns an issuer as answers show it. */
export function showIssuer(stored: StoredIssuer): TrustedIssuer {
  const { name, revision, issuer, audience, keys } = stored;
  return {
    ...{ name, revision, issuer, audience, keys },
    is_blocked: stored.isBlocked,
    updated_at_millis: stored.updatedAtMillis,
    updated_by: stored.updatedBy,
  };
}
