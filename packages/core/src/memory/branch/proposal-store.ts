/** Proposals in the store: branches that wait for review, and what was decided of others. */
import type { Namespace, NamespaceParts } from '../../access/namespace.js';
import { scopeDigest } from '../../access/namespace.js';
import { json, number, orNull, text } from '../../storage/store/fields.js';
import { trailingUuid } from '../../storage/store/key.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout, jsonLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';
import type { Author } from '../documents/author-schema.js';
import type { ProposalState } from '../documents/proposal-schema.js';
import type { Receipt } from '../documents/schema.js';
import { branchFields, type KeyedBranch } from './branch-store.js';

/** What a command made in a proposal. */
export type ProposedOutcome = readonly [
  recordId: string,
  revision: number,
  action: Receipt['action'],
];

const proposalLayout = fieldsLayout(2, {
  ...branchFields,
  proposedAtMillis: number,
  state: json<ProposalState>(),
  /** That of its commands; null for a branch that was submitted. */
  fingerprint: orNull(text),
  outcomes: json<readonly ProposedOutcome[]>(),
  decidedAtMillis: orNull(number),
  reviewer: json<Author | null>(),
  reason: orNull(text),
});

const proposals = new Subspace(keyspace.memoryProposals, proposalLayout);
const order = new Subspace(keyspace.memoryProposalOrder, jsonLayout<null>(1));
const counts = new Subspace(keyspace.memoryProposalCounts, jsonLayout<number>(1));

/** The subspaces of this file, by their names in the key space. */
export const proposalSubspaces = {
  memoryProposals: proposals,
  memoryProposalOrder: order,
  memoryProposalCounts: counts,
};

/** A stored proposal. */
export type StoredProposal = ValueOf<typeof proposalLayout>;

/** A proposal with its id, which is that of its branch. */
export interface KeyedProposal extends StoredProposal, KeyedBranch {}

/** Numbers in keys. An ended proposal whose records are still there is `leaving` too. */
const stateNumbers = { proposed: 0, merged: 1, rejected: 2, leaving: 3 } as const;
/** A list of proposals, by which they are ordered. */
export type ProposalList = keyof typeof stateNumbers;

/** In keys, what stands for a tenant in place of a scope. */
const OF_TENANT = Buffer.alloc(32);

/** Returns a proposal, or `undefined`. */
export function findProposal(tx: ReadTx, tenantId: string, id: string): KeyedProposal | undefined {
  const found = proposals.get(tx, tenantId, id);
  return found && { ...found, id };
}

/** Stores a proposal that waits, and counts it. */
export function putWaiting(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  const { id, ...stored } = proposal;
  proposals.put(tx, stored, tenantId, id);
  order.put(tx, null, tenantId, ...placeOf(proposal));
  countWaiting(tx, tenantId, proposal, 1);
}

/** Stores what was decided of a proposal that waited. Its records go soon. */
export function putDecided(
  tx: WriteTx,
  tenantId: string,
  waiting: KeyedProposal,
  decision: Pick<KeyedProposal, 'state' | 'decidedAtMillis' | 'reviewer' | 'reason'>,
): KeyedProposal {
  const decided = { ...waiting, ...decision };
  const { id, ...stored } = decided;
  tx.remove(order.keyOf(tenantId, ...placeOf(waiting)));
  order.put(tx, null, tenantId, ...placeOf(decided));
  order.put(tx, null, tenantId, stateNumbers.leaving, 0, id);
  proposals.put(tx, stored, tenantId, id);
  countWaiting(tx, tenantId, waiting, -1);
  return decided;
}

/** Replaces a proposal by one with the same state and times. */
export function replaceProposal(
  tx: WriteTx,
  tenantId: string,
  before: KeyedProposal,
  after: KeyedProposal,
): void {
  const { id, ...stored } = after;
  proposals.put(tx, stored, tenantId, id);
  if (before.state !== 'proposed') return;
  countWaiting(tx, tenantId, before, -1);
  countWaiting(tx, tenantId, after, 1);
}

/** Forgets a proposal: one that waited, if nothing was decided. */
export function removeProposal(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  tx.remove(proposals.keyOf(tenantId, proposal.id));
  tx.remove(order.keyOf(tenantId, ...placeOf(proposal)));
  if (proposal.state === 'proposed') countWaiting(tx, tenantId, proposal, -1);
}

/** Ends a proposal that waits, without a decision. */
export function endWaiting(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  const { id, ...stored } = proposal;
  // A clock that is set back doesn't bring it to life again.
  proposals.put(tx, { ...stored, endsAtMillis: 0 }, tenantId, id);
}

/** Notes that the records of a decided proposal are gone. */
export function noteLeft(tx: WriteTx, tenantId: string, id: string): void {
  tx.remove(order.keyOf(tenantId, stateNumbers.leaving, 0, id));
}

/** Where a proposal is in its list. */
export interface ProposalPlace {
  readonly atMillis: number;
  readonly id: string;
}

/** Returns ids of a list after a place, the first ones of a time first. */
export function proposalsAfter(
  tx: ReadTx,
  tenantId: string,
  list: ProposalList,
  { after, limit }: { readonly after?: ProposalPlace | undefined; readonly limit: number },
): string[] {
  const number = stateNumbers[list];
  const entries = order.entries(tx, tenantId, {
    prefix: [number],
    after: after && [number, after.atMillis, after.id],
    limit,
  });
  return Array.from(entries, ({ key }) => trailingUuid(key));
}

/** Returns when a proposal was proposed, or decided: by this its list is ordered. */
export function orderedAt({ decidedAtMillis, proposedAtMillis }: KeyedProposal): number {
  return decidedAtMillis ?? proposedAtMillis;
}

/** Returns how many proposals wait: in the tenant, and over each scope. */
export function waitingCounts(
  tx: ReadTx,
  tenantId: string,
  scopes: readonly NamespaceParts[],
): { readonly ofTenant: number; readonly ofScopes: readonly number[] } {
  const countOf = (digest: Uint8Array) => counts.get(tx, tenantId, digest) ?? 0;
  return {
    ofTenant: countOf(OF_TENANT),
    ofScopes: scopes.map((parts) => countOf(scopeDigest(parts))),
  };
}

function countWaiting(
  tx: WriteTx,
  tenantId: Namespace['tenantId'],
  { scopes }: KeyedProposal,
  by: 1 | -1,
): void {
  for (const digest of [OF_TENANT, ...scopes.map(scopeDigest)]) {
    const count = (counts.get(tx, tenantId, digest) ?? 0) + by;
    if (count > 0) counts.put(tx, count, tenantId, digest);
    else tx.remove(counts.keyOf(tenantId, digest));
  }
}

function placeOf(proposal: KeyedProposal): [number, number, string] {
  return [stateNumbers[proposal.state], orderedAt(proposal), proposal.id];
}
