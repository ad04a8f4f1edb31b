/** A change of memory as audit events name it (docs/contract/audit.md#aud-85). */
import type { MemoryScope } from '../../../kernel/access/scope.js';
import type { AuditMetadata } from '../../../kernel/audit/audit.js';
import type { StoredReceipt } from '../record/receipt-store.js';

/** Returns the metadata of the event of a command; a replay changed nothing. */
export function auditedChange(
  scope: MemoryScope,
  { recordId, revision, action }: Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>,
  isReplay: boolean,
): AuditMetadata {
  const { project_id, mission_id, agent_id, visibility, branch } = scope;
  const base = { project_id, mission_id, agent_id, visibility };
  const named = branch === undefined ? base : { ...base, branch };
  const change = { record_id: recordId, revision, change: action, scope: named };
  return isReplay ? { ...change, replay: true } : change;
}
