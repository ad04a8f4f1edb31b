/** What erasures do with memory. */
import { noteRemoval } from '../../../kernel/erased/removal-store.js';
import { partsOfKey, trailingDigest } from '../../../storage/store/key.js';
import type { DomainErasure } from '../../../upkeep/erasure/domain-erasure.js';
import { removeWhere } from '../../../upkeep/erasure/marked-steps.js';
import type { Slice, Step } from '../../../upkeep/erasure/slice.js';
import { subjectOf } from '../../../upkeep/erasure/subject-steps.js';
import { memoryChanges } from '../journal/change-store.js';
import { memoryReads } from '../record/read-store.js';
import { keepReceiptDigest } from '../record/receipt-store.js';
import { memoryRecords, memoryScan } from '../record/memory-store.js';
import { noteErasedSource } from '../record/source-store.js';
import { branchSteps, isInBranchOf, withdrawProposals } from './branch-steps.js';

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
