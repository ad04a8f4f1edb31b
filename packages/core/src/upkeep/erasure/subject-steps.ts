/** What the steps of domains need to know of an erased subject. */
import type { Slice, Step } from './slice.js';

/** Returns the subject of an erasure. */
export function subjectOf({ erasure: { target } }: Slice): string {
  return target?.kind === 'subject' ? target.subject_id : '';
}

/** Removes what is stored under the id of the subject. */
export function removeOfSubject(family: string): Step {
  return (slice, from) => {
    const part = { family, tenant: slice.erasure.tenantId, prefix: [subjectOf(slice)] };
    return slice.walk(part, from, (entry) => {
      slice.remove(family, entry);
    });
  };
}
