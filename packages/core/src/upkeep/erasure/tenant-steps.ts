/**
 * The steps that remove a whole tenant: first everything that proves a caller, so that nothing is
 * written any more, then what the installation holds of it, then all that is left under its id.
 */
import { removeErasureMark, TENANT_MARK } from '../../kernel/access/erasure-mark-store.js';
import { findLockout, saveLockout } from '../../domains/people/lockout/lockout-store.js';
import { removeTenantMark } from '../../storage/sealing/tenant-marks.js';
import { encodeKey, INSTALLATION, partsOfKey } from '../../storage/store/key.js';
import { dropEvents } from '../../kernel/audit-log/drop-events.js';
import { endSlice, type Slice, type Step, type VisitedEntry } from './slice.js';
import { families, familyOfKey, type FamilyName } from '../families/families.js';

/** Blocks of audit events that a slice removes of each quota. */
const BLOCKS_AT_ONCE = 16;

/** The tenant of the erasure. */
function tenantOf({ erasure: { target } }: Slice): string {
  return target?.kind === 'tenant' ? target.tenant_id : '';
}

/** Removes the entries of a family of the tenant, with those that lead to them. */
function removeAll(family: FamilyName): Step {
  return (slice, from) =>
    slice.walk({ family, tenant: tenantOf(slice) }, from, (entry) => {
      slice.remove(family, entry);
    });
}

/** The id that a key of a tenant begins with. */
const idIn = (family: FamilyName, { key }: VisitedEntry): string =>
  String(partsOfKey(families[family].shape, key)[0]);

/** Ends the locks of its names, which the installation keeps by their times. */
const removeLockouts: Step = (slice, from) => {
  const authority = tenantOf(slice);
  return slice.walk({ family: 'lockouts', tenant: authority }, from, (entry) => {
    const name = { authority, username: idIn('lockouts', entry) };
    const before = findLockout(slice.tx, name);
    if (before === undefined) return;
    saveLockout(slice.tx, name, { before, after: undefined });
    slice.count('lockouts', entry.key);
  });
};

/** Removes its audit log, the oldest events first, so that what is left always verifies. */
const removeEvents: Step = (slice) => {
  const dropped = dropEvents(slice.tx, tenantOf(slice), slice.nowMs, BLOCKS_AT_ONCE);
  for (const key of dropped.keys) slice.count('auditBlocks', key);
  slice.use(dropped.keys.length * BLOCKS_AT_ONCE);
  // Any key will do: the next slice looks at the oldest block.
  return dropped.isDone ? undefined : new Uint8Array(1);
};

/** Families of the installation with keys that begin with the id of a tenant. */
const namedAfterTenants = ['webhookTenants', 'storageQuotas', 'runningErasures'] as const;

function removeNamed(family: FamilyName): Step {
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
  const { number, shape } = families.erasureMarks;
  const mark = Buffer.from(encodeKey(tenant, number, shape, [TENANT_MARK]));
  return slice.walkTenant(tenant, from, (entry) => {
    const family = familyOfKey(entry.key);
    if (family !== undefined && !mark.equals(entry.key)) slice.remove(family, entry);
  });
};

/** Lets the id be registered again, after everything else. */
const removeMark: Step = (slice) => {
  removeTenantMark(slice.tx, tenantOf(slice));
  removeErasureMark(slice.tx, slice.erasure.id, tenantOf(slice), TENANT_MARK);
  return undefined;
};

/** The steps of the erasure of a tenant. */
export const tenantSteps: readonly Step[] = [
  removeAll('credentials'),
  removeAll('accounts'),
  removeAll('apiKeys'),
  removeLockouts,
  ...namedAfterTenants.map(removeNamed),
  removeEvents,
  removeRest,
  // Once more, for what another server stored in between.
  removeEvents,
  removeRest,
  // Keys are destroyed before the last step.
  endSlice,
  removeMark,
];
