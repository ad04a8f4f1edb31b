/** Begins again the erasures that a store has lost, because an older state of it was put back. */
import { putErasureMark, TENANT_MARK } from '../../kernel/access/erasure-mark-store.js';
import { putRefusedId } from '../../domains/tenancy/admission/erased-subject-store.js';
import { findTenant, removeTenant } from '../../domains/tenancy/tenant/tenant-store.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { findErasure, putErasure, type StoredErasure } from '../stored/erasure-store.js';
import { canHold, FoundTargets } from './found-targets.js';
import type { Ledger } from './ledger.js';
import { uncounted } from './new-erasure.js';

/**
 * Stores the erasures of a ledger that a store doesn't have. Returns whether some have to be
 * carried out before anything is answered.
 */
export async function reapplyErasures(store: Transactions, ledger: Ledger): Promise<boolean> {
  const targets = new FoundTargets(store);
  let isDue = false;
  for (const entry of ledger.entries) {
    const found = await store.read((tx) => findErasure(tx, entry.tenantId, entry.id));
    if (found !== undefined) {
      // One that was running when the older state was copied is carried on.
      isDue ||= found.finishedAtMillis === null;
      continue;
    }
    const target = await targets.find(entry);
    const erasure = target === undefined ? entry : { ...entry, ...uncounted, target };
    isDue ||= target !== undefined;
    await store.transact((tx) => {
      begin(tx, erasure);
      if (canHold(tx, entry.tenantId)) refuse(tx, entry);
    });
  }
  return isDue;
}

/** Refuses the id of a subject again, also where nothing of the subject is stored. */
function refuse(tx: WriteTx, { tenantId, refusedIds }: StoredErasure): void {
  for (const each of refusedIds) putRefusedId(tx, tenantId, each);
}

function begin(tx: WriteTx, erasure: StoredErasure): void {
  const { id, tenantId, target } = erasure;
  if (target?.kind === 'tenant') {
    if (findTenant(tx, target.tenant_id) !== undefined) removeTenant(tx, target.tenant_id);
    putErasureMark(tx, id, target.tenant_id, TENANT_MARK);
  }
  // Of a tenant that is gone, nothing is stored again.
  if (target !== null || canHold(tx, tenantId)) putErasure(tx, erasure);
}
