/**
 * What erasures do with memory, and the steps that take an erased scope or subject out of branches
 * and proposals.
 */
import { branchOf, type Namespace, type NamespaceParts } from '../../../kernel/access/namespace.js';
import { putErasureMark } from '../../../kernel/erased/erasure-mark-store.js';
import { noteRemoval } from '../../../kernel/erased/removal-store.js';
import { partsOfKey, trailingDigest, trailingUuid } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { DomainErasure } from '../../../upkeep/erasure/domain-erasure.js';
import { removeWhere } from '../../../upkeep/erasure/marked-steps.js';
import type { Slice, Step } from '../../../upkeep/erasure/slice.js';
import { subjectOf } from '../../../upkeep/erasure/subject-steps.js';
import type { StoredErasure } from '../../../upkeep/stored/erasure-store.js';
import { isOfTarget, type StoredTarget } from '../../../upkeep/stored/target.js';
import {
  branchSpacesOf,
  findStoredBranch,
  type KeyedBranch,
  memoryBranches,
  putBranch,
  removeBranch,
} from '../branch/branch-store.js';
import { ownerOf } from '../branch/live-branch.js';
import { ofWholeBranches } from '../branch/merge-store.js';
import {
  findProposal,
  type KeyedProposal,
  memoryProposals,
  removeProposal,
  replaceProposal,
} from '../branch/proposal-store.js';
import { memoryChanges } from '../journal/change-store.js';
import { memoryRecords, memoryScan } from '../record/memory-store.js';
import { memoryReads } from '../record/read-store.js';
import { keepReceiptDigest } from '../record/receipt-store.js';
import { noteErasedSource } from '../record/source-store.js';

/** Rewrites the branches that name the scope, or that the subject made. */
const rewriteBranches: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryBranches', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...memoryBranches.open(key, value), id };
    const after = withoutTarget(before, erasure);
    if (after === before) return;
    if (after.scopes.length === 0) removeBranch(tx, tenantId, id);
    else putBranch(tx, tenantId, after);
    slice.count('memoryBranches', key);
  });
};

/**
 * Withdraws the undecided proposals of the subject, so that they can't be merged. Their records go
 * with the marked namespaces.
 */
const withdrawProposals: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId, target } = erasure;
  if (target?.kind !== 'subject') return undefined;
  return slice.walk({ family: 'memoryProposals', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const proposal = { ...memoryProposals.open(key, value), id };
    const isOwn = proposal.author.subject_id === target.subject_id;
    if (!isOwn || proposal.state !== 'proposed') return;
    const digests = branchSpacesOf(tx, tenantId, id);
    for (const digest of digests) putErasureMark(tx, erasure.id, tenantId, digest);
    slice.use(digests.length);
    removeProposal(tx, tenantId, proposal);
    slice.count('memoryProposals', key);
  });
};

/** Rewrites the proposals that name the scope, or that the subject made or reviewed. */
const rewriteProposals: Step = (slice, from) => {
  const { tx, erasure } = slice;
  const { tenantId } = erasure;
  return slice.walk({ family: 'memoryProposals', tenant: tenantId }, from, ({ key, value }) => {
    const id = trailingUuid(key);
    const before = { ...memoryProposals.open(key, value), id };
    const after = withoutReviewer(withoutTarget(before, erasure), erasure);
    if (after === before) return;
    if (after.scopes.length === 0) removeProposal(tx, tenantId, before);
    else replaceProposal(tx, tenantId, before, after);
    slice.count('memoryProposals', key);
  });
};

function withoutReviewer(
  proposal: KeyedProposal,
  { target, pseudonym }: StoredErasure,
): KeyedProposal {
  const { reviewer } = proposal;
  if (target?.kind !== 'subject' || pseudonym === null) return proposal;
  if (reviewer?.subject_id !== target.subject_id) return proposal;
  return { ...proposal, reason: null, reviewer: { ...reviewer, subject_id: pseudonym } };
}

function withoutTarget<B extends KeyedBranch>(branch: B, { target, pseudonym }: StoredErasure): B {
  if (target === null) return branch;
  if (isOwnedBy(branch.scopes, target)) return { ...branch, scopes: [] };
  if (target.kind === 'subject') {
    if (branch.author.subject_id !== target.subject_id || pseudonym === null) return branch;
    const author = { ...branch.author, subject_id: pseudonym };
    // Its id, because a name tells one branch of an author from another.
    return { ...branch, name: branch.id, purpose: null, author };
  }
  const scopes = branch.scopes.filter((parts) => !isOfTarget(parts, target));
  return scopes.length === branch.scopes.length ? branch : { ...branch, scopes };
}

/** Whether a branch over these scopes belongs to a subject, and goes with what is private of it. */
function isOwnedBy(scopes: readonly NamespaceParts[], target: StoredTarget): boolean {
  return scopes.some((parts) => ownerOf({ scopes: [parts] }) !== null && isOfTarget(parts, target));
}

/** Returns whether a namespace is in a branch that goes whole. */
function isInBranchOf(
  tx: ReadTx,
  { tenantId, parts }: Pick<Namespace, 'tenantId' | 'parts'>,
  target: StoredTarget,
): boolean {
  const id = branchOf(parts);
  const branch = id === undefined ? undefined : findStoredBranch(tx, tenantId, id);
  return branch !== undefined && isOwnedBy(branch.scopes, target);
}

/** Removes what is left of the writes and merges of branches that are gone. */
function removeOfGone({ name: family, shape }: (typeof ofWholeBranches)[number]): Step {
  return (slice, from) => {
    const { tx, erasure } = slice;
    const { tenantId } = erasure;
    return slice.walk({ family, tenant: tenantId }, from, (entry) => {
      const id = String(partsOfKey(shape, entry.key)[0]);
      const isThere =
        findStoredBranch(tx, tenantId, id) !== undefined ||
        findProposal(tx, tenantId, id) !== undefined;
      if (!isThere) slice.remove(family, entry);
    });
  };
}

/** What branches have of the target, apart from what its namespaces hold. */
const branchSteps: readonly Step[] = [
  rewriteBranches,
  rewriteProposals,
  ...ofWholeBranches.map(removeOfGone),
];

/** Bytes behind a digest of a derived revision: its record id and its revision. */
const REVISION_BYTES = 24;
const UUID_BYTES = 16;

/** Counts a link to a revision that stays, which shows from now on that its source was erased. */
function noteLostSource(slice: Slice, linkKey: Uint8Array): void {
  if (slice.isMarked(derivedIn(linkKey))) return;
  slice.countDependent();
  const rewritten = noteErasedSource(slice.tx, slice.erasure.tenantId, linkKey);
  if (rewritten === undefined) return;
  slice.count('memorySources', rewritten);
  slice.use(1);
}

/** The namespace of the derived revision that a key of links or traces ends with. */
function derivedIn(key: Uint8Array): Uint8Array {
  return trailingDigest(key, REVISION_BYTES);
}

/** Keeps the digest of a receipt, so that its command is not repeated. */
function keepDigest({ tx, erasure, newKey }: Slice, key: Uint8Array): void {
  keepReceiptDigest(tx, erasure.tenantId, key, newKey);
}

/** Lets other servers forget their copies of a search entry. */
function noteLostEntry({ tx, erasure: { tenantId } }: Slice, key: Uint8Array): void {
  const [digest] = partsOfKey(memoryScan.shape, key);
  noteRemoval(tx, { tenantId, digest: digest as Uint8Array });
}

/** Removes the receipts of the subject in scopes that others share. */
const removeReceipts: Step = (slice, from) => {
  const { tenantId } = slice.erasure;
  const family = 'memoryReceipts';
  let again: Uint8Array | undefined;
  const next = slice.walk({ family: 'namespaces', tenant: tenantId }, from, ({ key }) => {
    if (again !== undefined) return;
    if (!slice.hasRoom) {
      again = key;
      return;
    }
    const prefix = [trailingDigest(key), subjectOf(slice)];
    const rest = slice.walk({ family, tenant: tenantId, prefix }, undefined, (entry) => {
      slice.remove(family, entry);
    });
    if (rest !== undefined) again = key;
  });
  return again ?? next;
};

/** Removes what counts the reads of the subject in scopes that others share. */
const removeReads: Step = (slice, from) => {
  const part = { family: 'memoryReads', tenant: slice.erasure.tenantId } as const;
  return slice.walk(part, from, (entry) => {
    const [, , reader] = partsOfKey(memoryReads.shape, entry.key);
    if (reader === subjectOf(slice)) slice.remove(part.family, entry);
  });
};

/** The part of memory in erasures. */
export const memoryErasure: DomainErasure = {
  scope: {
    proposals: [withdrawProposals],
    scopes: [
      removeWhere('memoryDependents', derivedIn),
      removeWhere('memoryTraced', derivedIn),
      removeWhere('memoryPurges', (key) => trailingDigest(key, UUID_BYTES)),
      removeWhere('memoryBranchSpaces', (key) => trailingDigest(key)),
      removeWhere('memoryBranchMerged', (key) => trailingDigest(key, UUID_BYTES)),
      ...branchSteps,
      removeWhere('memoryChanges', (key, value) => memoryChanges.open(key, value).digest),
    ],
  },
  subject: { own: [removeReceipts, removeReads] },
  goingWith: {
    memoryRecords: (tenantId, { key }) => {
      const [digest, recordId] = partsOfKey(memoryRecords.shape, key);
      return [['memoryScan', memoryScan.keyOf(tenantId, digest as Uint8Array, String(recordId))]];
    },
  },
  removing: {
    memoryDependents: noteLostSource,
    memoryScan: noteLostEntry,
    memoryReceipts: keepDigest,
    memoryBatchReceipts: keepDigest,
  },
  includes: isInBranchOf,
};
