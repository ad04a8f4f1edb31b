/**
 * What a store remembers of its sealing: which keys it belongs to, how far it is sealed, and which
 * tenants have keys, so that a key that is away is never taken for one that is still to be made.
 */
import { sha256 } from '../../contract/digest.js';
import { jsonLayout } from '../store/fields.js';
import { defineFamily, working } from '../store/family.js';
import { INSTALLATION } from '../store/key.js';
import type { ReadTx, Transactions, WriteTx } from '../store/store.js';
import type { TenantText } from './key-source.js';
import { tenantText } from './stored-key.js';

/** How far a store is sealed. */
export interface SealingState {
  /** Id of the directory of keys. */
  readonly keys: string;
  /** Whether plain values of sealed subspaces are refused. */
  readonly isComplete: boolean;
  /** The key up to which values are sealed, in base64url; absent before the first slice. */
  readonly after?: string;
}

/** Installation: which keys the store is sealed with, and how far. */
export const sealing = defineFamily({
  name: 'sealing',
  number: 120,
  key: [],
  layout: jsonLayout<SealingState>(1),
  sealedBy: null,
  owner: 'installation',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Installation: the fingerprint of the key of a tenant, by the digest of its id. */
export const sealedTenants = defineFamily({
  name: 'sealedTenants',
  number: 121,
  key: ['digest'],
  layout: jsonLayout<string>(1),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
});

/** Returns how far a store is sealed; `undefined` for a plain one. */
export function sealingState(tx: ReadTx): SealingState | undefined {
  return sealing.get(tx, INSTALLATION);
}

/** Stores how far a store is sealed. */
export function putSealingState(tx: WriteTx, state: SealingState): void {
  sealing.put(tx, state, INSTALLATION);
}

/** The ids of the keys of tenants. */
export class TenantMarks {
  readonly #store: Transactions;

  /** `store` is the one below the sealing. */
  constructor(store: Transactions) {
    this.#store = store;
  }

  /** Returns the id of the key of a tenant in hexadecimal, or `undefined` before it has one. */
  find(tenant: TenantText): Promise<string | undefined> {
    return this.#store.read((tx) => sealedTenants.get(tx, INSTALLATION, digestOf(tenant)));
  }

  /** Stores the id of the key of a tenant. */
  async put(tenant: TenantText, keyId: string): Promise<void> {
    await this.#store.transact((tx) => {
      sealedTenants.put(tx, keyId, INSTALLATION, digestOf(tenant));
    });
  }
}

/** Lets the tenant have other keys, after everything of it was erased. */
export function removeTenantMark(tx: WriteTx, tenantId: string): void {
  tx.remove(sealedTenants.keyOf(INSTALLATION, digestOf(tenantText(tenantId))));
}

function digestOf(tenant: TenantText): Uint8Array {
  return sha256(Buffer.from(tenant, 'latin1'));
}
