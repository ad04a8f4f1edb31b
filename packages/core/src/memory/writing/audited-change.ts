/** A change of memory as audit events name it (docs/contract/audit.md#aud-85). */
import type { MemoryScope } from '../../access/scope.js';
import type { AuditMetadata } from '../../runtime/audit/audit.js';
import type { StoredReceipt } from '../record/receipt-layout.js';

/** Returns the metadata of the event of a command; a replay changed nothing. */
export function auditedChange(
  scope: MemoryScope,
  { recordId, revision, action }: Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>,
  isReplay: boolean,
): AuditMetadata {
  const { branch, ...rest } = scope;
  const named = branch === undefined ? rest : { ...rest, branch };
  const change = { record_id: recordId, revision, change: action, scope: named };
  return isReplay ? { ...change, replay: true } : change;
}
