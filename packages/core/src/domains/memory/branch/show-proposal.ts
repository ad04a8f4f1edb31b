/** Proposals as answers show them. */
import { certain } from '../../../contract/certain.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import type { MemoryProposal } from '../documents/proposal-schema.js';
import type { KeyedProposal } from './proposal-store.js';

/** Shows a proposal. */
export function showProposal(proposal: KeyedProposal, nowMs: number): MemoryProposal {
  const { id, name, state, scopes, proposedAtMillis, endsAtMillis, purpose } = proposal;
  const { author, decidedAtMillis, reviewer, reason, merged, mergedCount } = proposal;
  const shown = scopes.map(scopeOfParts);
  return {
    id,
    name,
    state,
    scopes: shown,
    proposed_at_millis: proposedAtMillis,
    age_millis: Math.max(0, (decidedAtMillis ?? nowMs) - proposedAtMillis),
    ends_at_millis: endsAtMillis,
    purpose,
    author,
    decided_at_millis: decidedAtMillis,
    reviewer,
    reason,
    merged: merged.map(([scope, recordId, revision, action]) => ({
      ...{ scope: certain(shown[scope], 'scope of a merged change') },
      ...{ record_id: recordId, revision, action },
    })),
    merged_count: mergedCount,
  };
}
