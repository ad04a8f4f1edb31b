/** One transaction of a trace: examines one derived revision, and follows some links from it. */
import { coveredScope } from '../../../kernel/access/covered-scope.js';
import { isBeingErased } from '../../../kernel/erased/erasure-mark-store.js';
import { findNamespace } from '../../../kernel/access/namespace-store.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { RevisedKey } from '../record/keyed-record.js';
import { type LinkedSource, linksOf } from '../record/source-store.js';
import {
  findTrace,
  firstWaiting,
  isTraced,
  putTrace,
  putWaiting,
  settle,
  type StoredTrace,
  type TraceRun,
  type WaitingItem,
} from '../record/trace-store.js';
import { isInForeignBranch } from '../branch/live-branch.js';
import { awaitsReview } from '../writing/awaits-review.js';
import { type Erased, erase, type Eraser, isErasable } from './erase-revision.js';

/** Links that one transaction follows. */
const SLICE_LINKS = 16;

/** What a slice did. */
export interface TraceSlice {
  readonly isFinished: boolean;
  /** The changes that it made. */
  readonly erased: readonly Erased[];
}

/** The trace that a caller goes on with. */
export interface Tracing extends Eraser {
  readonly credential: ActingCredential;
  readonly root: RevisedKey;
}

/**
 * Goes on with a trace.
 *
 * @throws {AgentkeepError} `record_not_found` when there is none.
 */
export function traceSlice(tx: WriteTx, tracing: Tracing): TraceSlice {
  const { credential, root } = tracing;
  const { tenantId } = credential;
  const trace = findTrace(tx, tenantId, root);
  if (trace === undefined) throw new AgentkeepError('record_not_found');
  const of: TraceRun = { root, run: trace.run };
  const waiting = firstWaiting(tx, tenantId, of);
  if (waiting === undefined) {
    if (!trace.isFinished) putTrace(tx, tenantId, root, { ...trace, isFinished: true });
    return { isFinished: true, erased: [] };
  }
  const { derived, item } = waiting;
  const examined = item.isRoot || item.outcome !== null ? { item, erased: [] } : undefined;
  const { item: after, erased } = examined ?? examine(tx, tracing, trace, { derived, item });
  if (after === undefined) settle(tx, tenantId, of, derived, null);
  else if (after.outcome === 'hidden') settle(tx, tenantId, of, derived, 'hidden');
  else follow(tx, tenantId, of, { derived, item: after });
  return { isFinished: false, erased };
}

/** A derived revision that waits. */
interface Waiting {
  readonly derived: RevisedKey;
  readonly item: WaitingItem;
}

/** Decides on a derived revision, and erases it if the trace is to; no item where it is gone. */
function examine(
  tx: WriteTx,
  tracing: Tracing,
  { mode }: StoredTrace,
  { derived, item }: Waiting,
): { readonly item?: WaitingItem; readonly erased: readonly Erased[] } {
  const { credential } = tracing;
  const { tenantId } = credential;
  const parts = findNamespace(tx, tenantId, derived.digest);
  if (parts === undefined) return { erased: [] };
  const namespace: Namespace = { tenantId, digest: derived.digest, parts };
  const found = isErasable(tx, namespace, derived, tracing.nowMs);
  // What is being erased goes without a trace.
  if (found === undefined || isBeingErased(tx, tenantId, parts)) return { erased: [] };
  const may = rightsOf(tx, credential, namespace);
  if (!may.read) return { item: { ...item, outcome: 'hidden' }, erased: [] };
  const isWhole = found === 'current';
  if (mode === 'report') return { item: { ...item, outcome: 'found', isWhole }, erased: [] };
  if (!may.write) return { item: { ...item, outcome: 'left' }, erased: [] };
  const erased = erase(tx, namespace, derived, tracing);
  const outcome = isWhole ? 'deleted' : 'redacted';
  return { item: { ...item, outcome, isWhole }, erased };
}

function rightsOf(tx: ReadTx, credential: ActingCredential, namespace: Namespace) {
  const { subject_id: subjectId } = credential.spec;
  const isCovered =
    coveredScope(credential, namespace.parts) !== undefined &&
    !isInForeignBranch(tx, namespace, subjectId);
  const isReviewed = awaitsReview(tx, namespace, credential);
  const { capabilities } = credential.spec;
  return {
    read: isCovered && capabilities.includes('memory_read'),
    write: isCovered && capabilities.includes('memory_write') && !isReviewed,
  };
}

/** Adds what was derived from a revision, or, if its record is deleted, from any revision of it. */
function follow(tx: WriteTx, tenantId: string, of: TraceRun, { derived, item }: Waiting): void {
  const { digest, recordId, revision } = derived;
  const source: LinkedSource = item.isWhole ? { digest, recordId } : { digest, recordId, revision };
  const part = { after: item.after ?? undefined, limit: SLICE_LINKS };
  const links = linksOf(tx, tenantId, source, part);
  const last = links.at(-1);
  if (links.length < SLICE_LINKS || last === undefined) {
    settle(tx, tenantId, of, derived, item.isRoot ? null : item.outcome);
  } else {
    putWaiting(tx, tenantId, of, derived, { ...item, after: last });
  }
  const next = { isRoot: false, isWhole: false, outcome: null, after: null };
  for (const link of links) {
    if (!isTraced(tx, tenantId, of, link.derived)) {
      putWaiting(tx, tenantId, of, link.derived, next);
    }
  }
}
