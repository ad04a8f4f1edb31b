/** Steps that remove what families state to be of a subject, or of an account of the subject. */
import { partsOfKey } from '../../storage/store/key.js';
import type { Slice, Step } from './slice.js';

/** Returns the subject of an erasure. */
export function subjectOf({ erasure: { target } }: Slice): string {
  return target?.kind === 'subject' ? target.subject_id : '';
}

/** Removes what a family has under the id of the subject. */
export function removeOfSubject(family: string): Step {
  return (slice, from) => {
    const part = { family, tenant: slice.erasure.tenantId, prefix: [subjectOf(slice)] };
    return slice.walk(part, from, (entry) => {
      slice.remove(family, entry);
    });
  };
}

/** Removes what a family has of the accounts that acted for the subject. */
export function removeOfAccounts(
  family: string,
  isErased: (slice: Slice, accountId: string) => boolean,
): Step {
  return (slice, from) => {
    const stated = slice.plan.families.get(family);
    const { accountIn } = stated.facts;
    return slice.walk({ family, tenant: slice.erasure.tenantId }, from, (entry) => {
      const { key, value } = entry;
      const accountId = accountIn
        ? accountIn(stated.open(key, value) as never)
        : String(partsOfKey(stated.shape, key)[0]);
      if (isErased(slice, accountId)) slice.remove(family, entry);
    });
  };
}
