/** Opens an audit log over a store in which nothing else takes part. */
import type { AuditSettings } from '../src/kernel/audit-log/audit-options.js';
import { openAudit } from '../src/kernel/audit-log/open-audit.js';
import type { AuditPort } from '../src/kernel/audit/audit.js';
import type { Clock } from '../src/kernel/ports/clock.js';
import { withParticipants } from '../src/storage/store/participant.js';
import type { Transactions } from '../src/storage/store/store.js';

/** Opens an audit log. Returns it with the store whose changes it records. */
export function openAuditOver(
  below: Transactions,
  clock: Clock,
  settings: AuditSettings,
): { readonly store: Transactions; readonly audit: AuditPort } {
  const { participant, openLog } = openAudit(clock, settings);
  const store = withParticipants(below, [participant]);
  return { store, audit: openLog(store) };
}
