/** A change of memory as audit events name it (docs/contract/audit.md#aud-85). */
import type { MemoryScope } from '../../../kernel/access/scope.js';
import type { NamedChange } from '../../../kernel/audit/call-events.js';
import type { StoredReceipt } from '../record/receipt-store.js';

/** Returns what the event of a command names; a replay changed nothing. */
export function auditedChange(
  scope: MemoryScope,
  { recordId, revision, action }: Pick<StoredReceipt, 'recordId' | 'revision' | 'action'>,
  isReplay: boolean,
): NamedChange {
  const { project_id, mission_id, agent_id, visibility, branch } = scope;
  const base = { project_id, mission_id, agent_id, visibility };
  const named = branch === undefined ? base : { ...base, branch };
  const change = { record_id: recordId, revision, change: action, scope: named };
  const metadata = isReplay ? { ...change, replay: true } : change;
  return { resource: `record:${recordId}`, metadata };
}

/** Returns what the event names of a proposal that a call made; none for a replay. */
export function auditedWaiting(
  proposal: { readonly id: string } | undefined,
  isReplay: boolean,
): readonly NamedChange[] {
  return proposal === undefined || isReplay ? [] : [auditedProposal(proposal.id, 'proposed')];
}

/** Returns what the event of a change of a proposal names (docs/contract/audit.md#aud-112). */
export function auditedProposal(
  proposal: string,
  change: 'proposed' | 'rejected' | 'withdrawn' | 'merged',
): NamedChange {
  return { resource: `proposal:${proposal}`, metadata: { proposal, change } };
}
