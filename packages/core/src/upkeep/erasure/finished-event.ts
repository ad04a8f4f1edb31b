/** The event of a finished erasure, which has no actor. */
import type { AuditDraft } from '../../kernel/audit/audit.js';
import { INSTALLATION } from '../../storage/store/key.js';
import type { StoredErasure } from '../stored/erasure-store.js';
import { erasureEvent } from './show-erasure.js';

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
