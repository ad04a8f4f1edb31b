/**
 * A page of the texts of a tenant that have no embedding yet: of the records that were there before
 * the server made embeddings, then of those that were changed since, in the order of the journal.
 */
import { hasCode } from '../../../contract/errors/agentkeep-error.js';
import { cutText } from '../../../contract/texts/cut-text.js';
import {
  branchOf,
  findNamespace,
  type Namespace,
  namespacesAfter,
} from '../../../kernel/access/namespace.js';
import { keepWithinQuota } from '../../../kernel/counts/counts.js';
import { keyText } from '../../../storage/store/bytes.js';
import { afterKey } from '../../../storage/store/key.js';
import { noteGrowth } from '../../../storage/store/participant.js';
import { afterPosition, LAST_POSITION } from '../../../storage/store/position.js';
import type { ReadTx, SnapshotTx, WriteTx } from '../../../storage/store/store.js';
import { ifReadable } from '../../../storage/store/value.js';
import { embeddedText } from '../documents/embedded-text.js';
import { changesBetween, floorOf } from '../journal/change-store.js';
import { type KeyedRecord, recordInKey } from '../record/keyed-record.js';
import {
  attachEmbedding,
  copyRecord,
  findRecordMeasured,
  sweptEntries,
} from '../record/memory-store.js';
import { attachedIn, droppedThrough } from '../spaces/changed-spaces.js';
import { findSpaces, putSpaces } from '../spaces/embedding-spaces.js';
import { type EmbeddingProgress, findProgress, putProgress } from './embedding-progress.js';

/** Records that one page examines. */
const EXAMINED_MAX = 128;
/** Bytes of records after which a page ends. */
const BYTES_MAX = 1_048_576;
/** UTF-16 units of the texts of a page after which it ends. */
const UNITS_MAX = 32_768;
/** UTF-16 units of a text that are embedded; models read no more. */
const TEXT_UNITS_MAX = 8_192;

/** A text to embed, and the revision that it is of. */
export interface UnembeddedText extends KeyedRecord {
  readonly revision: number;
  readonly text: string;
}

/** Some texts, and how far the tenant has been embedded once they are. */
export interface EmbeddingPage {
  /** What was stored when it was read; a page is stored only if it is still there. */
  readonly before: EmbeddingProgress | undefined;
  readonly after: EmbeddingProgress;
  readonly texts: readonly UnembeddedText[];
  /** Records behind it that were found and not examined. */
  readonly left: number;
  /** Whether anything is behind it, found or not. */
  readonly isMore: boolean;
  /** Whether there are changes that an earlier commit, still under way, holds back. */
  readonly isHeld: boolean;
}

/** What a page is of. */
export interface PageOptions {
  readonly tenantId: string;
  readonly space: string;
  readonly textsMax: number;
}

/**
 * Returns the next page of a tenant; one without texts and news where nothing is left, `undefined`
 * for a tenant that has no memory, such as one that was erased.
 */
export function nextPage(tx: SnapshotTx, options: PageOptions): EmbeddingPage | undefined {
  const { tenantId, space } = options;
  if (hasNoMemory(tx, tenantId)) return undefined;
  const horizon = Uint8Array.from(tx.horizon());
  const before = findProgress(tx, tenantId);
  const goesOn = before?.space === space && isKept(tx, tenantId, before, horizon);
  const start: EmbeddingProgress = goesOn
    ? { ...before, lease: null }
    : { space, from: hexOf(horizon), walk: '', lease: null };
  const found =
    start.walk === null ? changed(tx, tenantId, start, horizon) : walked(tx, tenantId, start);
  const { texts, examined } = wantedOf(tx, found.records, options);
  const last = found.records[examined - 1];
  const isCut = examined < found.records.length;
  const reached = isCut && last !== undefined ? last.next : found.end;
  const isHeld =
    start.walk === null &&
    changesBetween(tx, tenantId, { from: horizon, to: LAST_POSITION, limit: 1 }).length > 0;
  return {
    before,
    after: { ...start, ...reached },
    texts,
    left: found.records.length - examined,
    isMore: isCut || found.isMore,
    isHeld,
  };
}

/** Whether a page says more than what is stored. */
export function hasNews({ before, after, texts, isMore }: EmbeddingPage): boolean {
  const isSame =
    before?.space === after.space && before.walk === after.walk && before.from === after.from;
  return texts.length > 0 || isMore || !isSame || before.lease !== null;
}

/**
 * Attaches the embeddings of a page to the revisions that they were made of, where these are still
 * current, and stores how far the tenant has been embedded. Returns false where another server has
 * gone on meanwhile, or the tenant is gone: nothing is stored then.
 */
export function storePage(
  tx: WriteTx,
  tenantId: string,
  { before, after, texts }: Pick<EmbeddingPage, 'before' | 'after' | 'texts'>,
  { vectors, nowMs }: { readonly vectors: readonly (readonly number[])[]; readonly nowMs: number },
): boolean {
  const present = findProgress(tx, tenantId);
  if (JSON.stringify(present) !== JSON.stringify(before)) return false;
  if (hasNoMemory(tx, tenantId)) return false;
  const namespaceOf = namespacesIn(tx, tenantId);
  let isAttached = false;
  for (const [index, text] of texts.entries()) {
    const values = vectors[index] ?? [];
    const namespace = values.length === 0 ? undefined : namespaceOf(text.digest);
    if (namespace === undefined) continue;
    isAttached = attach(tx, namespace, text, { space: after.space, values, nowMs }) || isAttached;
  }
  putProgress(tx, tenantId, after);
  if (isAttached) {
    keepWithinQuota(tx);
    noteGrowth(tx);
  }
  return true;
}

function hasNoMemory(tx: ReadTx, tenantId: string): boolean {
  return namespacesAfter(tx, tenantId, { after: undefined, limit: 1 }).length === 0;
}

interface Made {
  readonly space: string;
  readonly values: readonly number[];
  readonly nowMs: number;
}

function attach(
  tx: WriteTx,
  namespace: Namespace,
  { recordId, revision }: UnembeddedText,
  made: Made,
): boolean {
  const found = ifReadable(() => copyRecord(tx, namespace, recordId));
  const isCurrent = found?.value.revision === revision && found.value.payload !== null;
  if (!isCurrent || found.value.attached?.has(made.space) === true) return false;
  const spaces = findSpaces(tx, namespace);
  try {
    const { nowMs } = made;
    const after = attachedIn(spaces, made.space, { dimensions: [made.values.length], nowMs });
    if (after !== spaces) putSpaces(tx, namespace, after);
  } catch (error) {
    // The scope has all the spaces that it can have, or drops this one: its words are found.
    if (hasCode(error, 'invalid_request')) return false;
    throw error;
  }
  attachEmbedding(tx, namespace, recordId, found, made);
  return true;
}

/** A record to examine, and where a page goes on behind it. */
interface Candidate extends KeyedRecord {
  readonly next: Pick<EmbeddingProgress, 'from'> | Pick<EmbeddingProgress, 'walk'>;
}

interface Found {
  readonly records: readonly Candidate[];
  /** Where the next page goes on if all of them were examined. */
  readonly end: Candidate['next'];
  readonly isMore: boolean;
}

/** Whether no change behind the stored position was removed, and the store has reached it. */
function isKept(
  tx: ReadTx,
  tenantId: string,
  { from }: EmbeddingProgress,
  horizon: Uint8Array,
): boolean {
  const floor = floorOf(tx, tenantId);
  const position = Buffer.from(from, 'hex');
  const isRemoved = floor !== undefined && Buffer.compare(floor, position) >= 0;
  return !isRemoved && Buffer.compare(position, horizon) <= 0;
}

/** Returns the records of the next changes, each at its first one. */
function changed(
  tx: SnapshotTx,
  tenantId: string,
  { from }: EmbeddingProgress,
  horizon: Uint8Array,
): Found {
  const span = { from: Buffer.from(from, 'hex'), to: horizon, limit: EXAMINED_MAX };
  const changes = changesBetween(tx, tenantId, span);
  const records = changes.map(({ digest, recordId, position }): Candidate => {
    return { digest, recordId, next: { from: hexOf(afterPosition(position)) } };
  });
  const isMore = changes.length === EXAMINED_MAX;
  return { records, isMore, end: records.at(-1)?.next ?? { from } };
}

/** Returns the next records of the walk through all of them. */
function walked(tx: ReadTx, tenantId: string, { walk }: EmbeddingProgress): Found {
  const from = walk === null || walk === '' ? undefined : Buffer.from(walk, 'hex');
  const records: Candidate[] = [];
  for (const { key } of sweptEntries(tx, tenantId, { from, limit: EXAMINED_MAX })) {
    records.push({ ...recordInKey(key), next: { walk: hexOf(afterKey(key)) } });
  }
  const isMore = records.length === EXAMINED_MAX;
  const end = isMore ? (records.at(-1)?.next ?? { walk: null }) : { walk: null };
  // Behind the walk come the changes that were committed since it began.
  return { records, isMore: true, end };
}

/** Returns the texts of some records that lack an embedding, up to the bounds of a page. */
function wantedOf(
  tx: ReadTx,
  records: readonly Candidate[],
  { tenantId, space, textsMax }: PageOptions,
): { readonly texts: UnembeddedText[]; readonly examined: number } {
  const namespaceOf = namespacesIn(tx, tenantId);
  const seen = new Set<string>();
  const texts: UnembeddedText[] = [];
  const used = { units: 0, bytes: 0 };
  for (const [at, { digest, recordId }] of records.entries()) {
    const isFull = used.units >= UNITS_MAX || used.bytes >= BYTES_MAX;
    if (texts.length === textsMax || isFull) return { texts, examined: at };
    const name = `${keyText(digest)}${recordId}`;
    const namespace = seen.has(name) ? undefined : namespaceOf(digest);
    seen.add(name);
    if (namespace === undefined) continue;
    if (droppedThrough(findSpaces(tx, namespace), space) !== undefined) continue;
    const found = ifReadable(() => findRecordMeasured(tx, namespace, recordId));
    if (found === undefined) continue;
    used.bytes += found.bytes;
    const { payload, attached, revision } = found.value;
    if (payload === null || attached?.has(space) === true) continue;
    const text = cutText(embeddedText(payload.content), TEXT_UNITS_MAX);
    used.units += text.length;
    if (text !== '') texts.push({ digest, recordId, revision, text });
  }
  return { texts, examined: records.length };
}

/** Returns a look-up of the namespaces of a tenant; those of branches have none of it. */
function namespacesIn(tx: ReadTx, tenantId: string): (digest: Uint8Array) => Namespace | undefined {
  const known = new Map<string, Namespace | undefined>();
  return (digest) => {
    const name = keyText(digest);
    if (known.has(name)) return known.get(name);
    const parts = ifReadable(() => findNamespace(tx, tenantId, digest));
    const isOfScope = parts !== undefined && branchOf(parts) === undefined;
    const namespace = isOfScope ? { tenantId, digest, parts } : undefined;
    known.set(name, namespace);
    return namespace;
  };
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
