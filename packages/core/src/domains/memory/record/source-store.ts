/**
 * What revisions were derived from, in the store: a list beside each derived revision, and a link
 * from each source to it. A link whose revision has gone is ignored, and removed by a sweep.
 */
import { defineFamily, indexOf } from '../../../storage/store/family.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import type { Entry, ReadTx, WriteTx } from '../../../storage/store/store.js';
import { asBuffer } from '../../../storage/store/bytes.js';
import { REVISED_KEY_BYTES, type RevisedKey, revisionInKey } from './keyed-record.js';

/**
 * Namespace digest in base64url, record id and revision of each source. The digest is null once the
 * namespace was erased.
 */
type StoredSources = readonly StoredSource[];
type StoredSource = readonly [digest: string | null, recordId: string, revision: number];

/** A revision that another was derived from, or what is left of one that was erased. */
export type KnownSource = RevisedKey | ErasedSource;

/** What is left of a source in a namespace that was erased. */
export type ErasedSource = Omit<RevisedKey, 'digest'> & { readonly digest: null };

/** What revisions were derived from: namespace, record id, revision. */
export const memorySources = defineFamily({
  name: 'memorySources',
  number: 90,
  key: ['digest', 'uuid', 'integer'],
  layout: jsonLayout<StoredSources>(2),
  sealedBy: null,
  owner: 'scope',
  exported: { partOf: 'record' },
  erased: 'removed',
  counts: null,
});

/** What was derived from a revision: the source, then what was derived from it. */
export const memoryDependents = defineFamily({
  name: 'memoryDependents',
  number: 91,
  key: ['digest', 'uuid', 'integer', 'digest', 'uuid', 'integer'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'scope',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(memorySources),
});

/** Sources that were redacted: namespace, record id, revision. */
export const memoryRedactedSources = defineFamily({
  name: 'memoryRedactedSources',
  number: 92,
  key: ['digest', 'uuid', 'integer'],
  layout: jsonLayout<null>(1),
  sealedBy: null,
  owner: 'scope',
  exported: { line: 'redacted_source' },
  erased: 'removed',
  counts: null,
});

/** Stores what a revision was derived from. */
export function storeSources(
  tx: WriteTx,
  tenantId: string,
  derived: RevisedKey,
  from: readonly KnownSource[],
): void {
  const stored = from.map(
    ({ digest, recordId, revision }) =>
      [digest && asBuffer(digest).toString('base64url'), recordId, revision] as const,
  );
  memorySources.put(tx, stored, tenantId, derived.digest, derived.recordId, derived.revision);
  for (const source of from.filter(isKept)) {
    memoryDependents.put(tx, null, tenantId, ...keyOf({ source, derived }));
  }
}

/** Returns whether the namespace of a source was not erased. */
export function isKept(source: KnownSource): source is RevisedKey {
  return source.digest !== null;
}

/**
 * Notes beside the derived revision of a link that the source was erased. Returns the key that it
 * has rewritten, or `undefined` if the revision is gone.
 */
export function noteErasedSource(
  tx: WriteTx,
  tenantId: string,
  linkKey: Uint8Array,
): Uint8Array | undefined {
  const { source, derived } = linkInKey(linkKey);
  const key = [derived.digest, derived.recordId, derived.revision] as const;
  const stored = memorySources.get(tx, tenantId, ...key);
  if (stored === undefined) return undefined;
  const digest = asBuffer(source.digest).toString('base64url');
  const after = stored.map((each): StoredSource => {
    const [of, recordId, revision] = each;
    const isSource = of === digest && recordId === source.recordId && revision === source.revision;
    return isSource ? [null, recordId, revision] : each;
  });
  memorySources.put(tx, after, tenantId, ...key);
  return memorySources.keyOf(tenantId, ...key);
}

/** Returns what a revision was derived from, in the order in which it was stated. */
export function findSources(
  tx: ReadTx,
  tenantId: string,
  { digest, recordId, revision }: RevisedKey,
): readonly KnownSource[] {
  const stored = memorySources.get(tx, tenantId, digest, recordId, revision) ?? [];
  return stored.map(([text, id, number]) => ({
    digest: text === null ? null : Buffer.from(text, 'base64url'),
    recordId: id,
    revision: number,
  }));
}

/** Removes what a revision was derived from, and the links to it. */
export function removeSources(tx: WriteTx, tenantId: string, derived: RevisedKey): void {
  for (const source of findSources(tx, tenantId, derived).filter(isKept)) {
    tx.remove(memoryDependents.keyOf(tenantId, ...keyOf({ source, derived })));
  }
  tx.remove(memorySources.keyOf(tenantId, derived.digest, derived.recordId, derived.revision));
}

/** A record, or one of its revisions, that others were derived from. */
export type LinkedSource = Omit<RevisedKey, 'revision'> & {
  /** Absent for all revisions. */
  readonly revision?: number | undefined;
};

/** That a revision was derived from another one. */
export interface Link {
  readonly source: RevisedKey;
  readonly derived: RevisedKey;
}

/** Returns links of a source, in the order of their keys. Their revisions may be gone. */
export function linksOf(
  tx: ReadTx,
  tenantId: string,
  { digest, recordId, revision }: LinkedSource,
  { after, limit }: { readonly after?: Link | undefined; readonly limit: number },
): readonly Link[] {
  const entries = memoryDependents.entries(tx, tenantId, {
    prefix: revision === undefined ? [digest, recordId] : [digest, recordId, revision],
    after: after && keyOf(after),
    limit,
  });
  return Array.from(entries, ({ key }) => linkInKey(key));
}

/** Notes that a source was redacted, if anything was derived from it. */
export function noteRedacted(tx: WriteTx, tenantId: string, source: RevisedKey): void {
  if (linksOf(tx, tenantId, source, { limit: 1 }).length === 0) return;
  memoryRedactedSources.put(tx, null, tenantId, source.digest, source.recordId, source.revision);
}

/** Returns whether a source was redacted. */
export function isNotedRedacted(tx: ReadTx, tenantId: string, source: RevisedKey): boolean {
  return memoryRedactedSources.has(tx, tenantId, source.digest, source.recordId, source.revision);
}

/** Yields the derived revisions of a tenant with what they were derived from, from a key on. */
export function* sweptSources(
  tx: ReadTx,
  tenantId: string,
  part: { readonly from: Uint8Array | undefined; readonly limit: number },
): Iterable<SweptKey> {
  yield* sweptKeys(memorySources.entriesFrom(tx, tenantId, part));
}

/** Yields the notes of redacted sources of a tenant, from a key on. */
export function* sweptRedacted(
  tx: ReadTx,
  tenantId: string,
  part: { readonly from: Uint8Array | undefined; readonly limit: number },
): Iterable<SweptKey> {
  yield* sweptKeys(memoryRedactedSources.entriesFrom(tx, tenantId, part));
}

/** A revision as a key names it, with the size of its entry. */
export interface SweptKey {
  readonly key: Uint8Array;
  readonly bytes: number;
  readonly revised: RevisedKey;
}

function* sweptKeys(entries: Iterable<Entry>): Iterable<SweptKey> {
  for (const { key, value } of entries) {
    yield { key, bytes: value.length, revised: revisionInKey(key) };
  }
}

/** Returns whether a tenant has any derived revision, or note of a redacted source. */
export function hasSources(tx: ReadTx, tenantId: string): boolean {
  const first = { from: undefined, limit: 1 };
  for (const _ of memorySources.entriesFrom(tx, tenantId, first)) return true;
  for (const _ of memoryRedactedSources.entriesFrom(tx, tenantId, first)) return true;
  return false;
}

type LinkTuple = [
  ...[digest: Uint8Array, recordId: string, revision: number],
  ...[derivedDigest: Uint8Array, derivedId: string, derivedRevision: number],
];

function keyOf({ source, derived }: Link): LinkTuple {
  const { digest, recordId, revision } = source;
  return [digest, recordId, revision, derived.digest, derived.recordId, derived.revision];
}

function linkInKey(key: Uint8Array): Link {
  return {
    source: revisionInKey(key.subarray(0, -REVISED_KEY_BYTES)),
    derived: revisionInKey(key),
  };
}
