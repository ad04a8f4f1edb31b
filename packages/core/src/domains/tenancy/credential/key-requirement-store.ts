/** How the credentials of a tenant may prove themselves, in the store. */
import { boolean, number, text } from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import { fieldsLayout, type ValueOf } from '../../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

const requirementLayout = fieldsLayout(1, {
  tenantId: text,
  revision: number,
  /** Whether calls that send a secret of a credential are refused. */
  requiresKeys: boolean,
  updatedAtMillis: number,
  /** Id of the credential that made the revision. */
  updatedBy: text,
});

/** A stored key requirement. */
export type StoredKeyRequirement = ValueOf<typeof requirementLayout>;

/** How the credentials of a tenant prove themselves. */
export const keyRequirements = defineFamily({
  name: 'keyRequirements',
  number: 49,
  key: [],
  layout: requirementLayout,
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'authority' },
  erased: 'kept',
  counts: null,
  remember: true,
  committedFor: ({ tenantId }) => tenantId,
});

/** Returns the requirement of a tenant; `undefined` if none was ever stated. */
export function findKeyRequirement(tx: ReadTx, tenantId: string): StoredKeyRequirement | undefined {
  return keyRequirements.get(tx, tenantId);
}

/** Returns whether a tenant accepts keys only. */
export function acceptsKeysOnly(tx: ReadTx, tenantId: string): boolean {
  return findKeyRequirement(tx, tenantId)?.requiresKeys === true;
}

/** Stores the requirement of a tenant. */
export function putKeyRequirementState(tx: WriteTx, requirement: StoredKeyRequirement): void {
  keyRequirements.put(tx, requirement, requirement.tenantId);
}
