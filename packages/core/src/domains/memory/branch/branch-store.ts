/**
 * Stores branches, and those that ended.
 *
 * Branches that were dropped or submitted, until the time at which they would have ended by
 * themselves. An export from before can't bring them back meanwhile, and is too old afterwards.
 */
import {
  basePartsOf,
  type Namespace,
  namespaceOfParts,
  type NamespaceParts,
} from '../../../kernel/access/namespace.js';
import { copyBytes } from '../../../storage/store/bytes.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import {
  fieldsLayout,
  json,
  jsonLayout,
  number,
  orNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { trailingDigest, trailingUuid } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Author } from '../documents/author-schema.js';

/** The fields that a branch and a proposal begin with. */
export const branchFields = {
  name: text,
  /** Those of private scopes name the subject, whose branch it is. */
  scopes: json<readonly NamespaceParts[]>(),
  /** The position of the journal that it is over, in hexadecimal. */
  position: text,
  createdAtMillis: number,
  endsAtMillis: number,
  purpose: orNull(text),
  author: json<Author>(),
};

const branchLayout = fieldsLayout(2, branchFields);

/** A stored branch. Its id is a part of its key. */
export type StoredBranch = ValueOf<typeof branchLayout>;

/** Branches of memory, by id. */
export const memoryBranches = defineFamily({
  name: 'memoryBranches',
  number: 84,
  key: ['uuid'],
  layout: branchLayout,
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { line: 'branch' },
  erased: 'removed',
  counts: null,
  derived: working,
  committedFor: (_branch, tenantId) => tenantId,
  traces: { isOf: ({ author }: StoredBranch) => [author] },
});

/** Namespaces that a branch has written to, by its id and namespace. */
export const memoryBranchSpaces = defineFamily({
  name: 'memoryBranchSpaces',
  number: 85,
  key: ['uuid', 'digest'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'value',
  exported: { not: 'working' },
  erased: 'removed',
  counts: null,
  derived: working,
});

/** Until when superseded revisions are held for branches, by scope. */
export const memoryBranchHolds = defineFamily({
  name: 'memoryBranchHolds',
  number: 86,
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

/** A branch with its id. */
export interface KeyedBranch extends StoredBranch {
  readonly id: string;
}

/** Returns a branch, ended or not, or `undefined`. Never change it. */
export function findStoredBranch(
  tx: ReadTx,
  tenantId: string,
  id: string,
): StoredBranch | undefined {
  return memoryBranches.get(tx, tenantId, id);
}

/** Stores a branch. */
export function putBranch(tx: WriteTx, tenantId: string, { id, ...branch }: KeyedBranch): void {
  memoryBranches.put(tx, branch, tenantId, id);
}

/** Removes a branch, once its namespaces are empty. */
export function removeBranch(tx: WriteTx, tenantId: string, id: string): void {
  tx.remove(memoryBranches.keyOf(tenantId, id));
}

/** Returns the branches of a tenant after one of them, by id, ended ones included. */
export function branchesAfter(
  tx: ReadTx,
  tenantId: string,
  after: string | undefined,
  limit: number,
): KeyedBranch[] {
  const span = {
    prefix: [] as [],
    after: after === undefined ? undefined : ([after] as [string]),
    limit,
  };
  return Array.from(memoryBranches.rows(tx, tenantId, span), ({ key, value }) => ({
    ...value,
    id: trailingUuid(key),
  }));
}

/** Notes that a branch has written to a namespace. */
export function noteBranchSpace(tx: WriteTx, { tenantId, digest }: Namespace, id: string): void {
  if (!memoryBranchSpaces.has(tx, tenantId, id, digest))
    memoryBranchSpaces.put(tx, null, tenantId, id, digest);
}

/** Returns the digest of a namespace that a branch has written to, or `undefined`. */
export function nextBranchSpace(tx: ReadTx, tenantId: string, id: string): Uint8Array | undefined {
  for (const { key } of memoryBranchSpaces.entries(tx, tenantId, { prefix: [id], limit: 1 })) {
    return trailingDigest(key);
  }
  return undefined;
}

/** Returns the digests of all namespaces that a branch has written to. */
export function branchSpacesOf(tx: ReadTx, tenantId: string, id: string): Uint8Array[] {
  const entries = memoryBranchSpaces.entries(tx, tenantId, { prefix: [id] });
  return Array.from(entries, ({ key }) => copyBytes(trailingDigest(key)));
}

/** Forgets that a branch has written to a namespace. */
export function removeBranchSpace(
  tx: WriteTx,
  tenantId: string,
  id: string,
  digest: Uint8Array,
): void {
  tx.remove(memoryBranchSpaces.keyOf(tenantId, id, digest));
}

/**
 * Keeps all superseded revisions of a scope, of its subject if it is private, until a time, or
 * longer if another branch does.
 */
export function holdRevisions(
  tx: WriteTx,
  tenantId: string,
  parts: NamespaceParts,
  untilMillis: number,
): void {
  const { digest } = namespaceOfParts(tenantId, parts);
  const held = memoryBranchHolds.get(tx, tenantId, digest) ?? 0;
  if (untilMillis > held) memoryBranchHolds.put(tx, untilMillis, tenantId, digest);
}

/** Returns whether superseded revisions of a namespace are held for branches. */
export function isHeld(tx: ReadTx, { tenantId, parts }: Namespace, nowMs: number): boolean {
  const { digest } = namespaceOfParts(tenantId, basePartsOf(parts));
  return (memoryBranchHolds.get(tx, tenantId, digest) ?? 0) > nowMs;
}

/** When branches would have ended that ended before their time, by id. */
export const memoryEndedBranches = defineFamily({
  name: 'memoryEndedBranches',
  number: 105,
  key: ['uuid'],
  layout: jsonLayout<number>(1),
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'expires',
  counts: null,
  derived: working,
});

/** A branch that ended before its time. */
export interface EndedBranch {
  readonly id: string;
  /** When it would have ended, in Unix milliseconds. */
  readonly untilMillis: number;
}

/** Notes that a branch ends before its time. */
export function noteEnded(
  tx: WriteTx,
  tenantId: string,
  { id, endsAtMillis }: Pick<KeyedBranch, 'id' | 'endsAtMillis'>,
): void {
  memoryEndedBranches.put(tx, endsAtMillis, tenantId, id);
}

/** Returns whether a branch ended before its time, as far as that is remembered. */
export function hasEnded(tx: ReadTx, tenantId: string, id: string): boolean {
  return memoryEndedBranches.has(tx, tenantId, id);
}

/** Returns branches of a tenant that ended before their time, after one of them, by id. */
export function endedAfter(
  tx: ReadTx,
  tenantId: string,
  after: string | undefined,
  limit: number,
): EndedBranch[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const rows = memoryEndedBranches.rows(tx, tenantId, { prefix: [], after: start, limit });
  return Array.from(rows, ({ key, value }) => ({ id: trailingUuid(key), untilMillis: value }));
}

/** Forgets that branches ended. */
export function forgetEnded(tx: WriteTx, tenantId: string, ids: readonly string[]): void {
  for (const id of ids) tx.remove(memoryEndedBranches.keyOf(tenantId, id));
}
