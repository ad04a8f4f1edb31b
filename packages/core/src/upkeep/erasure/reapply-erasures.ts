/** Begins again the erasures that a store has lost, because an older state of it was put back. */
import { putErasureMark, TENANT_MARK } from '../../kernel/erased/erasure-mark-store.js';
import { putRefusedId } from '../../kernel/erased/erased-subject-store.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { ReadTx, Transactions, WriteTx } from '../../storage/store/store.js';
import { findErasure, putErasure, type StoredErasure } from '../stored/erasure-store.js';
import type { ErasurePlan } from './erasure-plan.js';
import { FoundTargets } from './found-targets.js';
import type { Ledger } from './ledger.js';
import { uncounted } from './new-erasure.js';

/** What it needs. */
interface ReapplyParts {
  readonly hasTenant: (tx: ReadTx, tenantId: string) => boolean;
  readonly store: Transactions;
  readonly plan: ErasurePlan;
}

/**
 * Stores the erasures of a ledger that a store doesn't have. Returns whether some have to be
 * carried out before anything is answered.
 */
export async function reapplyErasures(
  { store, hasTenant, plan }: ReapplyParts,
  ledger: Ledger,
): Promise<boolean> {
  const targets = new FoundTargets(store, plan);
  // Erasures of a tenant can be stored where it is registered.
  const canHold = (tx: WriteTx, tenantId: string): boolean =>
    tenantId === INSTALLATION || hasTenant(tx, tenantId);
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
      const { id, tenantId, target: erased } = erasure;
      if (erased?.kind === 'tenant') beginTenant(tx, plan, id, erased.tenant_id);
      // Of a tenant that is gone, nothing is stored again.
      const isHeld = canHold(tx, tenantId);
      if (erased !== null || isHeld) putErasure(tx, erasure);
      if (isHeld) refuse(tx, entry);
    });
  }
  return isDue;
}

/** Refuses the id of a subject again, also where nothing of the subject is stored. */
function refuse(tx: WriteTx, { tenantId, refusedIds }: StoredErasure): void {
  for (const each of refusedIds) putRefusedId(tx, tenantId, each);
}

function beginTenant(tx: WriteTx, plan: ErasurePlan, id: string, tenantId: string): void {
  plan.removeTenant(tx, tenantId);
  putErasureMark(tx, id, tenantId, TENANT_MARK);
}
