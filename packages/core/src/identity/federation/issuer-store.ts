/** The issuers that a tenant trusts, in the store. */
import { boolean, json, number, text } from '../../storage/store/fields.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
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

const issuers = new Subspace(keyspace.trustedIssuers, issuerLayout, {
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
});

/** The subspace of issuers, by its name in the key space. */
export const issuerSubspaces = { trustedIssuers: issuers };

/** Returns the issuer of a tenant with this name, or `undefined`. */
export function findIssuer(tx: ReadTx, tenantId: string, name: string): StoredIssuer | undefined {
  return issuers.get(tx, tenantId, name);
}

/** Stores a new or changed issuer. */
export function putIssuerState(tx: WriteTx, issuer: StoredIssuer): void {
  issuers.put(tx, issuer, issuer.tenantId, issuer.name);
}

/** Returns a page of the issuers of a tenant, in ascending order of name. */
export function issuersAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): StoredIssuer[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return issuers.values(tx, tenantId, { prefix: [], after: start, limit });
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
