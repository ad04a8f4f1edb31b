/** Looks through every family of a store for what an erasure had to remove. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CONTRACT_VERSION } from '../../contract/version.js';
import type { EncryptionOptions } from '../../storage/key-files/open-sealed.js';
import { afterTenant, encodeKey, INSTALLATION } from '../../storage/store/key.js';
import type { Families } from '../../storage/families/families.js';
import type { Entry, Store } from '../../storage/store/store.js';
import type { CopyBeyondReach } from '../erasure/certificate.js';
import { erasuresOf } from '../erasure/erased-since.js';
import type { StoredTarget } from '../stored/target.js';
import { isAbout } from '../stored/target.js';
import { namespaceSlices, walkOver } from '../../kernel/services/sweeper.js';
import { snapshotCopies } from './keep-snapshots.js';
import { entriesBetween, searchForSubject, TracedTarget } from './traces-of-target.js';

/** What is searched for, and where copies may be. */
export interface ErasureToVerify {
  readonly tenantId: string;
  readonly target: StoredTarget;
  /** Further names that the subject had, to search for as well. */
  readonly names?: readonly string[] | undefined;
  /** The data directory, whose snapshots are listed. */
  readonly dataDir?: string | undefined;
  /** The directory of the audit files. */
  readonly auditDir?: string | undefined;
  /** The keys of an encrypted store. */
  readonly encryption?: EncryptionOptions | undefined;
}

/** What a family has of the target. */
interface FamilyTraces {
  readonly family: string;
  readonly entries: number;
  /** Entries that had to go. */
  readonly left: number;
  /** Entries of others that name the target, and stay. */
  readonly kept: number;
}

/** What was found. */
export interface ErasureVerification {
  readonly contract_version: typeof CONTRACT_VERSION;
  /** `clean`, if nothing is left and an erasure of the target is finished. */
  readonly status: 'clean' | 'left' | 'not_erased';
  /** The erasures of the target, the oldest first. */
  readonly erasures: readonly {
    readonly id: string;
    readonly requested_at_millis: number;
    readonly finished_at_millis: number | null;
  }[];
  /** Every family. */
  readonly families: readonly FamilyTraces[];
  /** Copies from before the end of the last erasure, which nothing here can look into. */
  readonly beyond_reach: readonly CopyBeyondReach[];
}

type Counts = Map<string, { entries: number; left: number; kept: number }>;

/** Looks through everything of the tenant and of the installation. The store may be in use. */
export async function verifyErasure(
  store: Store,
  known: Families,
  asked: ErasureToVerify,
): Promise<ErasureVerification> {
  const { tenantId, target } = asked;
  const traced = new TracedTarget(known, tenantId, target);
  await noteNamespaces(store, tenantId, traced);
  if (target.kind === 'subject') {
    const subject = { tenantId, subjectId: target.subject_id, names: asked.names ?? [] };
    const noteAccount = (id: string): void => {
      traced.noteAccount(id);
    };
    traced.searchFor(await searchForSubject(store, known, subject, noteAccount));
  }
  const counts: Counts = new Map();
  for (const authority of [INSTALLATION, tenantId]) {
    const first = encodeKey(authority, 0, [], []).slice(0, -1);
    for await (const entries of entriesBetween(store, first, afterTenant(authority))) {
      for (const entry of entries) {
        const family = known.ofKey(entry.key);
        if (family !== undefined) count(counts, traced, { authority, family }, entry);
      }
    }
  }
  const families = known.names.map((family) => {
    return { family, ...(counts.get(family) ?? { entries: 0, left: 0, kept: 0 }) };
  });
  const erasures = await erasuresOfTarget(store, asked);
  const finished = erasures.flatMap(({ finished_at_millis: at }) => (at === null ? [] : [at]));
  const isClean = families.every(({ left }) => left === 0);
  return {
    contract_version: CONTRACT_VERSION,
    status: finished.length === 0 ? 'not_erased' : isClean ? 'clean' : 'left',
    erasures,
    families,
    beyond_reach: await copiesBefore(Math.max(0, ...finished) || Infinity, store, asked),
  };
}

function count(
  counts: Counts,
  traced: TracedTarget,
  { authority, family }: { readonly authority: string; readonly family: string },
  entry: Entry,
): void {
  const of = counts.get(family) ?? { entries: 0, left: 0, kept: 0 };
  counts.set(family, of);
  of.entries += 1;
  const trace = traced.traceIn(authority, family, entry);
  if (trace !== undefined) of[trace] += 1;
}

async function noteNamespaces(store: Store, tenantId: string, traced: TracedTarget): Promise<void> {
  for await (const slice of namespaceSlices(walkOver(store), tenantId)) {
    for (const { digest, parts } of slice) traced.note(digest, parts);
    const ofSubject = traced.keysOfSubject(slice.map(({ digest }) => digest));
    const keys = await store.read((tx) => ofSubject.map((key) => tx.storedKey?.(key) ?? key));
    for (const key of keys) traced.noteKey(key);
  }
}

async function erasuresOfTarget(
  store: Store,
  { tenantId, target }: ErasureToVerify,
): Promise<ErasureVerification['erasures']> {
  const authority = target.kind === 'tenant' ? INSTALLATION : tenantId;
  const found: ErasureVerification['erasures'][number][] = [];
  for await (const erasure of erasuresOf(store, authority)) {
    if (!isAbout(erasure, target)) continue;
    const { id, requestedAtMillis, finishedAtMillis } = erasure;
    const at = { requested_at_millis: requestedAtMillis, finished_at_millis: finishedAtMillis };
    found.push({ id, ...at });
  }
  return found;
}

async function copiesBefore(
  endMs: number,
  { isShared }: Store,
  { dataDir, auditDir }: ErasureToVerify,
): Promise<CopyBeyondReach[]> {
  const snapshots = dataDir === undefined ? [] : await snapshotCopies(dataDir);
  return [
    ...snapshots.filter(({ created_at: at }) => Date.parse(at) <= endMs),
    ...(auditDir === undefined ? [] : await auditFilesIn(auditDir, endMs)),
    ...(isShared ? [{ kind: 'database_backups' as const, before: isoOf(endMs) }] : []),
  ];
}

async function auditFilesIn(directory: string, endMs: number): Promise<CopyBeyondReach[]> {
  const names = await readdir(directory).catch(() => [] as string[]);
  const files = names.filter((name) => /^audit_.*\.jsonl$/u.test(name)).toSorted();
  const copies: CopyBeyondReach[] = [];
  for (const id of files) {
    const { birthtimeMs } = await stat(join(directory, id));
    if (birthtimeMs > endMs) continue;
    copies.push({ kind: 'audit_files', id, created_at: new Date(birthtimeMs).toISOString() });
  }
  return copies;
}

/** When the copies end that matter; null if nothing was erased yet. */
function isoOf(endMs: number): string | null {
  return endMs === Infinity ? null : new Date(endMs).toISOString();
}
