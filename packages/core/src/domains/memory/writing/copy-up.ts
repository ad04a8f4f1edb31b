/** Copies a record of a scope into a branch, as it stood at the position of the branch. */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { putMerged } from '../branch/merge-store.js';
import {
  copyRecord,
  hasEntry,
  sealRecord,
  storeName,
  storeRecord,
} from '../record/memory-store.js';
import type { RevisedKey } from '../record/keyed-record.js';
import { findSources, storeSources } from '../record/source-store.js';
import { readCommandKey, type WrittenRecord } from '../record/record-layout.js';
import { searchPartsOf } from '../record/search-entry.js';
import { isContentKept } from '../retention/retention-policy.js';
import { retentionOf } from '../retention/retention-store.js';
import { rewritten } from '../revision/revision-layout.js';
import { findRevision, sealRevision } from '../revision/revision-store.js';

/** The revision of a record that stood, and older ones that a command names. */
export interface StandingFact {
  readonly recordId: string;
  /** 0 where it wasn't there. */
  readonly revision: number;
  readonly older: readonly number[];
}

/** Where a record is copied from and to. */
export interface CopyPlace {
  readonly branch: Namespace;
  readonly base: Namespace;
  readonly nowMs: number;
}

/** Copies a record and its older revisions, unless they are there or what stood is gone. */
export function copyUp(tx: WriteTx, place: CopyPlace, fact: StandingFact): void {
  const { branch, base } = place;
  const { recordId, revision, older } = fact;
  if (revision === 0) return;
  if (!hasEntry(tx, branch, recordId)) copyStanding(tx, place, fact);
  for (const each of older) {
    const key = { namespace: branch, recordId };
    if (findRevision(tx, key, each) !== undefined) continue;
    const old = findRevision(tx, { namespace: base, recordId }, each);
    if (old === undefined) continue;
    const entry = sealRevision(key, each, rewritten(old));
    tx.put(entry.key, entry.value);
    copySources(tx, place, { recordId, revision: each });
  }
}

function copyStanding(
  tx: WriteTx,
  { branch, base, nowMs }: CopyPlace,
  { recordId, revision }: StandingFact,
): void {
  const written = standing(tx, base, { recordId, revision, nowMs });
  if (written === undefined) return;
  const { payload, name } = written;
  const parts = payload === null ? null : searchPartsOf(payload);
  storeRecord(tx, sealRecord(branch, recordId, written, parts), payload === null ? 0 : 1);
  if (name !== null) storeName(tx, branch, name, recordId);
  // What is merged is compared with this revision.
  const copied = { ofBranch: revision, outside: revision, copied: revision, earlier: [] };
  putMerged(tx, branch, recordId, copied);
  copySources(tx, { branch, base }, { recordId, revision });
}

function copySources(
  tx: WriteTx,
  { branch, base }: Pick<CopyPlace, 'branch' | 'base'>,
  revised: Omit<RevisedKey, 'digest'>,
): void {
  const { tenantId, digest } = base;
  const from = findSources(tx, tenantId, { digest, ...revised });
  if (from.length > 0) storeSources(tx, tenantId, { digest: branch.digest, ...revised }, from);
}

function standing(
  tx: WriteTx,
  base: Namespace,
  { recordId, revision, nowMs }: { recordId: string; revision: number; nowMs: number },
): WrittenRecord | undefined {
  const current = copyRecord(tx, base, recordId);
  if (current === undefined) return undefined;
  const { value, content } = current;
  if (value.revision === revision) {
    const span = { bytes: Buffer.from(content), start: 1, end: content.length };
    return { ...value, idempotencyKey: readCommandKey(span) };
  }
  if (!isContentKept(value, retentionOf(tx, base), nowMs)) return undefined;
  const old = findRevision(tx, { namespace: base, recordId }, revision);
  if (old === undefined || old.redaction !== null) return undefined;
  return { ...old.record, idempotencyKey: old.idempotencyKey };
}
