/** Shows erasures. */
import { shownAs } from '../../contract/schema/member-names.js';
import type { AuditDraft } from '../../kernel/audit/audit.js';
import type { EventSubject } from '../../kernel/audit/call-events.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { StoredErasure } from '../stored/erasure-store.js';
import type { ErasurePlan } from './erasure-plan.js';
import { Erasure } from './schema.js';

/** Returns an erasure as answers show it. */
export function showErasure(stored: StoredErasure, plan: Pick<ErasurePlan, 'stepsOf'>): Erasure {
  const { kind, finishedAtMillis } = stored;
  return shownAs(Erasure, stored, {
    status: finishedAtMillis === null ? 'running' : 'finished',
    steps_done: stored.step,
    // A later release may have more of them, which it didn't take.
    steps: finishedAtMillis === null ? plan.stepsOf(kind).length : stored.step,
    counts: Object.entries(stored.counts).map(([family, entries]) => ({ family, entries })),
  });
}

/** Returns the event of an erasure. It names nothing that is erased. */
export function erasureEvent(
  { id, kind, targetDigest, pseudonym }: StoredErasure,
  type: 'erasure_requested' | 'erasure_finished',
): EventSubject {
  return {
    type,
    action: type,
    resource: `erasure:${id}`,
    result: 'success',
    metadata: { kind, target_digest: targetDigest, pseudonym },
  };
}

/** Returns the event. Its metadata has the numbers of what was removed. */
export function auditDraftOf(
  erasure: StoredErasure,
  { id, nowMs }: { readonly id: string; readonly nowMs: number },
): AuditDraft {
  const { metadata, ...event } = erasureEvent(erasure, 'erasure_finished');
  return {
    id,
    atMillis: nowMs,
    tenantId: erasure.tenantId === INSTALLATION ? null : erasure.tenantId,
    ...{ userId: null, username: null, ipAddress: null, userAgent: null },
    ...event,
    metadata: { ...metadata, counts: { ...erasure.counts }, dependents: erasure.dependents },
  };
}
