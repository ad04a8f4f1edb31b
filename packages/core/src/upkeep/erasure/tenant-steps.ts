/**
 * The steps that remove a whole tenant: first everything that proves a caller, so that nothing is
 * written any more, then what the installation holds of it, then all that is left under its id.
 */
import { auditBlocks } from '../../kernel/audit-log/audit-store.js';
import {
  erasureMarks,
  removeErasureMark,
  TENANT_MARK,
} from '../../kernel/erased/erasure-mark-store.js';
import { removeTenantMark } from '../../storage/sealing/tenant-marks.js';
import type { Families } from '../../storage/families/families.js';
import { INSTALLATION } from '../../storage/store/key.js';
import { dropEvents } from '../../kernel/audit-log/rewrite-events.js';
import { endSlice, type Slice, type Step } from './slice.js';

/** Blocks of audit events that a slice removes of each quota. */
const BLOCKS_AT_ONCE = 16;

/** The tenant of the erasure. */
export function tenantOf({ erasure: { target } }: Slice): string {
  return target?.kind === 'tenant' ? target.tenant_id : '';
}

/** Removes the entries of a family of the tenant, with those that lead to them. */
function removeAll(family: string): Step {
  return (slice, from) =>
    slice.walk({ family, tenant: tenantOf(slice) }, from, (entry) => {
      slice.remove(family, entry);
    });
}

/** Removes its audit log, the oldest events first, so that what is left always verifies. */
const removeEvents: Step = (slice) => {
  const dropped = dropEvents(slice.tx, tenantOf(slice), slice.nowMs, BLOCKS_AT_ONCE);
  for (const key of dropped.keys) slice.count(auditBlocks.name, key);
  slice.use(dropped.keys.length * BLOCKS_AT_ONCE);
  // Any key will do: the next slice looks at the oldest block.
  return dropped.isDone ? undefined : new Uint8Array(1);
};

/**
 * Returns the families of the installation with keys that begin with the id of a tenant. The tenant
 * itself goes at the commit that asks, and its audit log in steps of its own.
 */
function namedAfterTenants({ all }: Families): string[] {
  const isAudit = (exported: object | 'derived'): boolean =>
    exported !== 'derived' && 'not' in exported && exported.not === 'audit';
  return all
    .filter(({ facts }) => facts.owner === 'named_tenant' && facts.erased !== 'removed')
    .filter(({ facts }) => !isAudit(facts.exported))
    .map(({ name }) => name);
}

function removeNamed(family: string): Step {
  return (slice, from) => {
    const part = { family, tenant: INSTALLATION, prefix: [tenantOf(slice)] };
    return slice.walk(part, from, (entry) => {
      slice.remove(family, entry);
    });
  };
}

/** Removes everything under the id of the tenant, whatever family it belongs to. */
const removeRest: Step = (slice, from) => {
  const tenant = tenantOf(slice);
  const mark = Buffer.from(erasureMarks.keyOf(tenant, TENANT_MARK));
  return slice.walkTenant(tenant, from, (entry) => {
    const family = slice.plan.families.ofKey(entry.key);
    if (family !== undefined && !mark.equals(entry.key)) slice.remove(family, entry);
  });
};

/** Lets the id be registered again, after everything else. */
const removeMark: Step = (slice) => {
  removeTenantMark(slice.tx, tenantOf(slice));
  removeErasureMark(slice.tx, slice.erasure.id, tenantOf(slice), TENANT_MARK);
  return undefined;
};

/** Returns the steps of the erasure of a tenant: `first` are the families that prove callers. */
export function tenantSteps(
  families: Families,
  first: readonly string[],
  ofDomains: readonly Step[],
): Step[] {
  return [
    ...first.map(removeAll),
    ...ofDomains,
    ...namedAfterTenants(families).map(removeNamed),
    removeEvents,
    removeRest,
    // Once more, for what another server stored in between.
    removeEvents,
    removeRest,
    // Keys are destroyed before the last step.
    endSlice,
    removeMark,
  ];
}
