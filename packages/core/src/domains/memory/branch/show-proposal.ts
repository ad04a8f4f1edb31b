/** Proposals as answers show them. */
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import type { MemoryProposal } from '../documents/proposal-schema.js';
import type { KeyedProposal } from './proposal-store.js';

/** Shows a proposal. */
export function showProposal(proposal: KeyedProposal, nowMs: number): MemoryProposal {
  const { id, name, state, scopes, proposedAtMillis, endsAtMillis, purpose } = proposal;
  const { author, decidedAtMillis, reviewer, reason } = proposal;
  return {
    id,
    name,
    state,
    scopes: scopes.map(scopeOfParts),
    proposed_at_millis: proposedAtMillis,
    age_millis: Math.max(0, (decidedAtMillis ?? nowMs) - proposedAtMillis),
    ends_at_millis: endsAtMillis,
    purpose,
    author,
    decided_at_millis: decidedAtMillis,
    reviewer,
    reason,
  };
}
