/** Leaves out changes and proposals that the caller may not see. */
import { coveredScope, scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { coversScope } from '../../../kernel/access/grant-policy.js';
import { branchOf, findNamespace, scopeDigest } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { keyText } from '../../../storage/store/bytes.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findProposal, type KeyedProposal } from '../branch/proposal-store.js';
import type { ProposalState } from '../documents/proposal-schema.js';
import type { RecordAction } from '../documents/author-schema.js';
import { OF_PROPOSALS, type PositionedChange } from '../journal/change-store.js';

/** A change of a record with the scope that it is in. */
export interface VisibleChange extends PositionedChange {
  readonly scope: MemoryScope;
  readonly action: RecordAction;
}

/**
 * Returns the changes in scopes that the credential covers, and in the one namespace that is
 * wanted, if one is. A private scope shows its own subject only, and a branch only if it is wanted.
 */
export function visibleChanges(
  tx: ReadTx,
  credential: ActingCredential,
  changes: readonly PositionedChange[],
  wanted: Uint8Array | undefined,
): VisibleChange[] {
  const scopes = new Map<string, MemoryScope | undefined>();
  const scopeOf = (digest: Uint8Array): MemoryScope | undefined => {
    const name = keyText(digest);
    if (!scopes.has(name)) {
      const parts = findNamespace(tx, credential.tenantId, digest);
      const isHidden = parts !== undefined && branchOf(parts) !== undefined && wanted === undefined;
      scopes.set(name, parts && !isHidden ? coveredScope(credential, parts) : undefined);
    }
    return scopes.get(name);
  };
  return changes.flatMap((change) => {
    if (wanted !== undefined && Buffer.compare(wanted, change.digest) !== 0) return [];
    const scope = scopeOf(change.digest);
    if (scope === undefined) return [];
    // Changes of proposals are in no namespace.
    return [{ ...change, scope, action: change.action as RecordAction }];
  });
}

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
