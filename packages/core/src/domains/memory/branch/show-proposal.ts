/** Proposals as answers show them. */
import { shownAs } from '../../../contract/schema/member-names.js';
import { certain } from '../../../contract/certain.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { MemoryProposal } from '../documents/proposal-schema.js';
import type { KeyedProposal } from './proposal-store.js';

/** Shows a proposal. */
export function showProposal(proposal: KeyedProposal, nowMs: number): MemoryProposal {
  const { scopes, proposedAtMillis, decidedAtMillis, merged } = proposal;
  const shown = scopes.map(scopeOfParts);
  return shownAs(MemoryProposal, proposal, {
    scopes: shown,
    age_millis: Math.max(0, (decidedAtMillis ?? nowMs) - proposedAtMillis),
    merged: merged.map(([scope, recordId, revision, action]) => ({
      ...{ scope: certain(shown[scope], 'scope of a merged change') },
      ...{ record_id: recordId, revision, action },
    })),
  });
}
