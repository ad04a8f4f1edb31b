/** The part of the changes of a tenant that is about proposals, as a credential may read it. */
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { scopeDigest } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { findProposal, type KeyedProposal } from '../branch/proposal-store.js';
import type { ProposalState } from '../documents/proposal-schema.js';
import { OF_PROPOSALS } from '../journal/change-layout.js';
import type { PositionedChange } from '../journal/change-store.js';
import type { ReadTx } from '../../../storage/store/store.js';

/** What happened to a proposal, with the proposal as it is now. */
export interface VisibleProposal extends Pick<PositionedChange, 'position' | 'committedAtMillis'> {
  readonly proposal: KeyedProposal;
  readonly state: ProposalState;
}

/**
 * Returns what happened to proposals of which the credential covers every scope, and which are over
 * the one scope that is wanted, if one is. A proposal that ended undecided isn't shown any more.
 */
export function visibleProposals(
  tx: ReadTx,
  { tenantId, spec }: ActingCredential,
  changes: readonly PositionedChange[],
  wanted: Uint8Array | undefined,
): VisibleProposal[] {
  return changes.flatMap(({ digest, recordId, action, position, committedAtMillis }) => {
    if (Buffer.compare(digest, OF_PROPOSALS) !== 0) return [];
    const proposal = findProposal(tx, tenantId, recordId);
    const isShown = proposal?.scopes.every((parts) => coversScope(spec, scopeOfParts(parts)));
    if (proposal === undefined || isShown !== true) return [];
    const isOver = (digestOf: Uint8Array) =>
      proposal.scopes.some((parts) => Buffer.compare(scopeDigest(parts), digestOf) === 0);
    if (wanted !== undefined && !isOver(wanted)) return [];
    return [{ proposal, state: action as ProposalState, position, committedAtMillis }];
  });
}

/** Shows what happened to a proposal, without what it changes. */
export function shownProposalChange({ proposal, state, committedAtMillis }: VisibleProposal) {
  const { id, scopes, author, reason } = proposal;
  return {
    proposal_id: id,
    scopes: scopes.map(scopeOfParts),
    state,
    author,
    reason: state === 'rejected' ? reason : null,
    committed_at_millis: committedAtMillis,
  };
}
