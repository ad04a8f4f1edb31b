/**
 * The rules for any memory change: how its write is prepared, whether it frees space, whether it
 * waits for review (docs/contract/review.md#rev-20), and how audit events name it
 * (docs/contract/audit.md#aud-85).
 */
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import type { NamedChange } from '../../../kernel/audit/call-events.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { MemoryChange } from '../documents/schema.js';
import type { StoredReceipt } from '../record/receipt-store.js';
import { requiresReview } from '../retention/retention-store.js';
import {
  createWrite,
  deleteWrite,
  type MemoryWrite,
  updateWrite,
  type WriteContext,
} from './memory-write.js';
import { putWrite, removeWrite } from './named-write.js';
import { redactWrite, restoreWrite } from './revision-write.js';
import { superseding } from './superseding-write.js';

/** Prepares the write of a change, with those of the records that it supersedes. */
export function writeOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  const write = ownWriteOf(change, context);
  const superseded = 'record' in change ? change.record.supersedes : undefined;
  return superseded === undefined ? write : superseding(superseded, context, write);
}

function ownWriteOf(change: MemoryChange, context: WriteContext): MemoryWrite {
  switch (change.type) {
    case 'create':
      return createWrite(change, context);
    case 'update':
      return updateWrite(change, context);
    case 'delete':
      return deleteWrite(change, context);
    case 'put':
      return putWrite(change, context);
    case 'remove':
      return removeWrite(change, context);
    case 'restore':
      return restoreWrite(change, context);
    case 'redact':
      return redactWrite(change, context);
  }
}

/** Returns whether a change frees space, so that it is served above a storage quota. */
export function freesSpace({ type }: MemoryChange): boolean {
  return type === 'delete' || type === 'remove' || type === 'redact';
}

/** Returns whether the writes of a credential in a namespace are proposals. */
export function awaitsReview(
  tx: ReadTx,
  namespace: Namespace,
  { spec }: ActingCredential,
): boolean {
  if (branchOf(namespace.parts) !== undefined) return false;
  return !spec.capabilities.includes('memory_review') && requiresReview(tx, namespace);
}

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
