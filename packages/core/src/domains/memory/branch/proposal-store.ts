/** Proposals in the store: branches that wait for review, and what was decided of others. */
import {
  baseOf,
  type Namespace,
  namespaceOfParts,
  scopeDigest,
} from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { sha256, sha256Text } from '../../../contract/digest.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  orNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { trailingUuid } from '../../../storage/store/key.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Author, RecordAction } from '../documents/author-schema.js';
import { NAMED_MERGED_MAX, type ProposalState } from '../documents/proposal-schema.js';
import { branchFields, type KeyedBranch } from './branch-store.js';
import { DECISION_KEPT_MS, type WaitingCount } from './proposal-policy.js';

/** Digests, in hexadecimal, of the subject that proposes, and of the service that acts for it. */
export type PlaceTaker = readonly [subject: string, service: string];

/** Returns who takes the places of a proposal of a credential. */
export function placeTakerOf({ spec, actingService }: ActingCredential): PlaceTaker {
  const service = actingService ?? spec;
  return [takerDigest('subject', spec.subject_id), takerDigest('service', service.subject_id)];
}

/** Returns whether a proposal is of a subject, or of a service of that subject. */
export function isTakenBy({ takenBy }: StoredProposal, subjectId: string): boolean {
  const [subject, service] = takenBy;
  return (
    subject === takerDigest('subject', subjectId) || service === takerDigest('service', subjectId)
  );
}

function takerDigest(kind: 'subject' | 'service', subjectId: string): string {
  return sha256Text(JSON.stringify([kind, subjectId]), 'hex');
}

/** What a merge did to a record of a proposal: the number of its scope there, and the rest. */
export type MergedChange = readonly [
  scope: number,
  recordId: string,
  revision: number,
  action: RecordAction,
];

const proposalLayout = fieldsLayout(4, {
  ...branchFields,
  proposedAtMillis: number,
  state: json<ProposalState>(),
  /** Who takes its places, as {@link PlaceTaker}. */
  takenBy: json<PlaceTaker>(),
  decidedAtMillis: orNull(number),
  reviewer: json<Author | null>(),
  reason: orNull(text),
  /** What was merged so far, the first {@link NAMED_MERGED_MAX} changes. */
  merged: json<readonly MergedChange[]>(),
  mergedCount: number,
});

/** Proposals, by the id of their branch. */
export const memoryProposals = defineFamily({
  name: 'memoryProposals',
  number: 96,
  key: ['uuid'],
  layout: proposalLayout,
  sealedBy: 'tenant',
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
  traces: { isOf: ({ author, reviewer }: StoredProposal) => [author, reviewer] },
});

/** Proposals by state, when they came to it in Unix milliseconds, id. */
export const memoryProposalOrder = defineFamily({
  name: 'memoryProposalOrder',
  number: 97,
  key: ['integer', 'integer', 'uuid'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** How many proposals wait over a scope, by its digest; in the tenant under 32 zero bytes. */
export const memoryProposalCounts = defineFamily({
  name: 'memoryProposalCounts',
  number: 98,
  key: ['digest'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'scope',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
  traces: { mayLackNamespace: true },
});

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
  const found = memoryProposals.get(tx, tenantId, id);
  return found && { ...found, id };
}

/** Returns whether a proposal waits or its decision is kept: else nothing shows it any more. */
export function isKept(proposal: KeyedProposal, nowMs: number): boolean {
  const { decidedAtMillis, endsAtMillis } = proposal;
  return nowMs < (decidedAtMillis === null ? endsAtMillis : decidedAtMillis + DECISION_KEPT_MS);
}

/** Stores a proposal that waits, and counts it. */
export function putWaiting(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  const { id, ...stored } = proposal;
  memoryProposals.put(tx, stored, tenantId, id);
  memoryProposalOrder.put(tx, null, tenantId, ...placeOf(proposal));
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
  tx.remove(memoryProposalOrder.keyOf(tenantId, ...placeOf(waiting)));
  memoryProposalOrder.put(tx, null, tenantId, ...placeOf(decided));
  memoryProposalOrder.put(tx, null, tenantId, stateNumbers.leaving, 0, id);
  memoryProposals.put(tx, stored, tenantId, id);
  countWaiting(tx, tenantId, waiting, -1);
  return decided;
}

/** What a merge did to a record of a proposal. */
export interface MadeChange {
  /** That of the record in the branch. */
  readonly namespace: Namespace;
  readonly recordId: string;
  readonly revision: number;
  readonly action: RecordAction;
}

/** Returns a proposal with more of it merged. The caller stores it. */
export function withMerged(
  proposal: KeyedProposal,
  tenantId: string,
  made: readonly MadeChange[],
): KeyedProposal {
  const digests = proposal.scopes.map((parts) => hexOf(namespaceOfParts(tenantId, parts).digest));
  const changes = made.map(({ namespace, recordId, revision, action }): MergedChange => {
    const scope = digests.indexOf(hexOf(baseOf(namespace).digest));
    return [scope, recordId, revision, action];
  });
  return {
    ...proposal,
    merged: [...proposal.merged, ...changes].slice(0, NAMED_MERGED_MAX),
    mergedCount: proposal.mergedCount + changes.length,
  };
}

function hexOf(digest: Uint8Array): string {
  return Buffer.from(digest).toString('hex');
}

/** Stores that more of a proposal was merged, while the rest of it waits. */
export function putMergedPart(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  const { id, ...stored } = proposal;
  memoryProposals.put(tx, stored, tenantId, id);
}

/** Replaces a proposal by one with the same state and times. */
export function replaceProposal(
  tx: WriteTx,
  tenantId: string,
  before: KeyedProposal,
  after: KeyedProposal,
): void {
  const { id, ...stored } = after;
  memoryProposals.put(tx, stored, tenantId, id);
  if (!takesPlaces(before)) return;
  countWaiting(tx, tenantId, before, -1);
  countWaiting(tx, tenantId, after, 1);
}

/** Forgets a proposal: one that waited, if nothing was decided. */
export function removeProposal(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  tx.remove(memoryProposals.keyOf(tenantId, proposal.id));
  tx.remove(memoryProposalOrder.keyOf(tenantId, ...placeOf(proposal)));
  noteLeft(tx, tenantId, proposal.id);
  if (takesPlaces(proposal)) countWaiting(tx, tenantId, proposal, -1);
}

/** Ends a proposal that waits, without a decision. Its places are free, and its records go soon. */
export function endWaiting(tx: WriteTx, tenantId: string, proposal: KeyedProposal): void {
  const { id, ...stored } = proposal;
  // A clock that is set back doesn't bring it to life again.
  memoryProposals.put(tx, { ...stored, endsAtMillis: WITHDRAWN }, tenantId, id);
  tx.remove(memoryProposalOrder.keyOf(tenantId, ...placeOf(proposal)));
  memoryProposalOrder.put(tx, null, tenantId, stateNumbers.leaving, 0, id);
  countWaiting(tx, tenantId, proposal, -1);
}

/** The end of a proposal that was ended before its time. */
const WITHDRAWN = 0;

/** Whether a proposal counts: one that ended by time does so until it is removed. */
function takesPlaces({ state, endsAtMillis }: KeyedProposal): boolean {
  return state === 'proposed' && endsAtMillis !== WITHDRAWN;
}

/** Notes that the records of a decided proposal are gone. */
export function noteLeft(tx: WriteTx, tenantId: string, id: string): void {
  tx.remove(memoryProposalOrder.keyOf(tenantId, stateNumbers.leaving, 0, id));
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
  const entries = memoryProposalOrder.entries(tx, tenantId, {
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

/** Returns how many proposals of a tenant wait. */
export function countProposals(tx: ReadTx, tenantId: string): number {
  return memoryProposalCounts.get(tx, tenantId, OF_TENANT) ?? 0;
}

/** Returns how many proposals wait: in the tenant, and over each scope. */
export function waitingCounts(
  tx: ReadTx,
  tenantId: string,
  { scopes, takenBy }: Pick<StoredProposal, 'scopes' | 'takenBy'>,
): { readonly ofTenant: WaitingCount; readonly ofScopes: readonly WaitingCount[] } {
  const countOf = (place: Uint8Array): WaitingCount => {
    const [all = 0, ofSubject = 0, ofService = 0] = countKeysOf(place, takenBy).map(
      (digest) => memoryProposalCounts.get(tx, tenantId, digest) ?? 0,
    );
    return { all, ofSubject, ofService };
  };
  return {
    ofTenant: countOf(OF_TENANT),
    ofScopes: scopes.map((parts) => countOf(scopeDigest(parts))),
  };
}

function countWaiting(
  tx: WriteTx,
  tenantId: Namespace['tenantId'],
  { scopes, takenBy }: KeyedProposal,
  by: 1 | -1,
): void {
  for (const place of [OF_TENANT, ...scopes.map(scopeDigest)]) {
    for (const digest of countKeysOf(place, takenBy)) {
      const count = (memoryProposalCounts.get(tx, tenantId, digest) ?? 0) + by;
      if (count > 0) memoryProposalCounts.put(tx, count, tenantId, digest);
      else tx.remove(memoryProposalCounts.keyOf(tenantId, digest));
    }
  }
}

/** The keys of the counts of a place: of all, of the subject, of the service. */
function countKeysOf(place: Uint8Array, takenBy: PlaceTaker): Uint8Array[] {
  const shares = takenBy.map((taker) => sha256(Buffer.concat([place, Buffer.from(taker, 'hex')])));
  return [place, ...shares];
}

function placeOf(proposal: KeyedProposal): [number, number, string] {
  return [stateNumbers[proposal.state], orderedAt(proposal), proposal.id];
}
