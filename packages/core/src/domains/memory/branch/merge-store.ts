/** What branches wrote, as one digest, and what their records are outside. */
import { certain } from '../../../contract/certain.js';
import { branchOf, type Namespace } from '../../../kernel/access/namespace.js';
import { sha256, sha256Text } from '../../../contract/digest.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import {
  boolean,
  fieldsLayout,
  json,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';

const headLayout = fieldsLayout(1, { digest: text });
const mergedLayout = fieldsLayout(2, {
  /** The revision in the branch that was copied or merged. */
  ofBranch: number,
  /** The revision that it was copied from, or that it became outside. */
  outside: number,
  /** The revision that was copied; 0 for a record that the branch made. */
  copied: number,
  /** Merges before that of `ofBranch`: the revision in the branch, what it became outside. */
  earlier: json<readonly (readonly [ofBranch: number, outside: number])[]>(),
});
const mergeLayout = fieldsLayout(1, {
  fingerprint: text,
  /** Records that it has merged. */
  merged: number,
  isFinished: boolean,
});

/** The digest of what was written in a branch, by its id. */
export const memoryBranchHeads = defineFamily({
  name: 'memoryBranchHeads',
  number: 87,
  key: ['uuid'],
  layout: headLayout,
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** Which revision outside a record of a branch was copied from or merged into, by branch. */
export const memoryBranchMerged = defineFamily({
  name: 'memoryBranchMerged',
  number: 88,
  key: ['uuid', 'digest', 'uuid'],
  layout: mergedLayout,
  sealedBy: null,
  owner: 'value',
  exported: { partOf: 'record' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** Merges by branch, and digest of subject and idempotency key. */
export const memoryBranchMerges = defineFamily({
  name: 'memoryBranchMerges',
  number: 89,
  key: ['uuid', 'digest'],
  layout: mergeLayout,
  sealedBy: null,
  owner: 'value',
  exported: { not: 'receipt' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** What keys don't tell apart by a scope: an erasure removes it with the branch. */
export const ofWholeBranches = [memoryBranchHeads, memoryBranchMerges] as const;

/** A record that was copied into a branch, or merged. */
export type StoredMerged = ValueOf<typeof mergedLayout>;
/** A merge, and how far it is. */
export type StoredMerge = ValueOf<typeof mergeLayout>;

/** Returns the digest of everything that was written in a branch. */
export function digestOfBranch(tx: ReadTx, tenantId: string, id: string): string {
  return memoryBranchHeads.get(tx, tenantId, id)?.digest ?? sha256Text(id, 'base64url');
}

/** A written revision. */
interface Written {
  readonly recordId: string;
  readonly revision: number;
  readonly action: string;
}

/** Extends the digest of the branch of a namespace by a write; nothing outside of branches. */
export function noteBranchWrite(
  tx: WriteTx,
  { tenantId, digest, parts }: Namespace,
  { recordId, revision, action }: Written,
): void {
  const id = branchOf(parts);
  if (id === undefined) return;
  const before = digestOfBranch(tx, tenantId, id);
  const space = Buffer.from(digest).toString('hex');
  const next = sha256Text(JSON.stringify([before, space, recordId, revision, action]), 'base64url');
  memoryBranchHeads.put(tx, { digest: next }, tenantId, id);
}

/** Returns what a record of a branch is outside, unless the branch made it. */
export function findMerged(
  tx: ReadTx,
  { tenantId, digest, parts }: Namespace,
  recordId: string,
): StoredMerged | undefined {
  const branch = certain(branchOf(parts), 'branch');
  return memoryBranchMerged.get(tx, tenantId, branch, digest, recordId);
}

/** Returns the revision outside that one of a record of a branch was copied from or became. */
export function outsideRevision(
  { ofBranch, outside, copied, earlier }: StoredMerged,
  revision: number,
): number | undefined {
  if (revision === ofBranch) return outside;
  if (revision <= copied) return revision;
  return earlier.find(([each]) => each === revision)?.[1];
}

/** Notes that a revision of a record of a branch became one outside. */
export function noteMerged(
  tx: WriteTx,
  namespace: Namespace,
  recordId: string,
  { ofBranch, outside }: Pick<StoredMerged, 'ofBranch' | 'outside'>,
): void {
  const before = findMerged(tx, namespace, recordId);
  const isCopy = before === undefined || before.ofBranch === before.copied;
  putMerged(tx, namespace, recordId, {
    ofBranch,
    outside,
    copied: before?.copied ?? 0,
    earlier: isCopy ? [] : [...before.earlier, [before.ofBranch, before.outside]],
  });
}

/** Stores what a record of a branch is outside. */
export function putMerged(
  tx: WriteTx,
  { tenantId, digest, parts }: Namespace,
  recordId: string,
  merged: StoredMerged,
): void {
  const branch = certain(branchOf(parts), 'branch');
  memoryBranchMerged.put(tx, merged, tenantId, branch, digest, recordId);
}

/** Identifies a merge. */
export interface MergeKey {
  readonly tenantId: string;
  readonly id: string;
  readonly subjectId: string;
  readonly idempotencyKey: string;
}

/** Returns a merge, or `undefined`. */
export function findMerge(tx: ReadTx, key: MergeKey): StoredMerge | undefined {
  return memoryBranchMerges.get(tx, key.tenantId, key.id, mergeDigest(key));
}

/** Stores how far a merge is. */
export function putMerge(tx: WriteTx, key: MergeKey, merge: StoredMerge): void {
  memoryBranchMerges.put(tx, merge, key.tenantId, key.id, mergeDigest(key));
}

function mergeDigest({ subjectId, idempotencyKey }: MergeKey): Uint8Array {
  return sha256(JSON.stringify([subjectId, idempotencyKey]));
}

/** Removes some of these entries of a branch; returns their number. */
export function removeSomeMerged(tx: WriteTx, tenantId: string, id: string, limit: number): number {
  const span = { prefix: [id] as [string], limit };
  const keysOf = (entries: Iterable<Entry>) => Array.from(entries, ({ key }) => copyBytes(key));
  const ofRecords = keysOf(memoryBranchMerged.entries(tx, tenantId, span));
  const keys = [...ofRecords, ...keysOf(memoryBranchMerges.entries(tx, tenantId, span))].slice(
    0,
    limit,
  );
  for (const key of keys) tx.remove(key);
  tx.remove(memoryBranchHeads.keyOf(tenantId, id));
  return keys.length;
}
