/** The operation that traces what was derived from a record. */
import { AgentkeepError, hasCode } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, inExampleScope } from '../../../contract/example-values.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { coveredScope, scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { findNamespace, type Namespace, namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { isBeingErased } from '../../../kernel/erased/erasure-mark-store.js';
import { decodeCursorBytes, encodeCursorBytes, staleCursor } from '../../../kernel/lists/cursor.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { scopedChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import type { NewId } from '../../../kernel/ports/ids.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { isInForeignBranch } from '../branch/live-branch.js';
import { type Author, authorOf } from '../documents/author-schema.js';
import {
  REVISED_KEY_BYTES,
  type RevisedKey,
  revisedKeyBytes,
  revisionInKey,
} from '../record/keyed-record.js';
import { findRecord } from '../record/memory-store.js';
import { type LinkedSource, linksOf } from '../record/source-store.js';
import {
  findTrace,
  firstWaiting,
  isTraced,
  putTrace,
  putWaiting,
  settle,
  settledOf,
  type StoredTrace,
  type TracedRevision,
  type TraceRun,
  type WaitingItem,
} from '../record/trace-store.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { leavesRevisions } from '../revision/history-write.js';
import { readRevision } from '../revision/read-revision.js';
import { auditedChange, awaitsReview, writeOf } from '../writing/change-write.js';
import { type Outcome, storeWrite } from '../writing/memory-write.js';
import { type Dependent, type TracePage, TraceRequest, TraceResponse } from './schema.js';

/** Links that one transaction follows. */
const SLICE_LINKS = 16;

/** What a slice did. */
interface TraceSlice {
  readonly isFinished: boolean;
  /** The changes that it made. */
  readonly erased: readonly Erased[];
}

/** The trace that a caller goes on with. */
interface Tracing extends Eraser {
  readonly credential: ActingCredential;
  readonly root: RevisedKey;
}

/**
 * Goes on with a trace.
 *
 * @throws {AgentkeepError} `record_not_found` when there is none.
 */
function traceSlice(tx: WriteTx, tracing: Tracing): TraceSlice {
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

/** Transactions of one call. */
const SLICES_MAX = 256;
/** After this time a call does not begin another one. */
const CALL_MS_MAX = 1_000;

const inputs = { id: uuid(), document: TraceRequest };

/** Each transaction proves the caller again. Another call goes on where one was cut off. */
export const traceMemoryDependents = defineTenantOperation({
  name: 'traceMemoryDependents',
  summary: 'Find, or delete and redact, what was derived from a deleted or redacted record.',
  example: { id: exampleId, document: { ...inExampleScope, revision: 2 } },
  command: {
    name: 'memory dependents',
    examples: [
      'agentkeep memory dependents <id> --revision 2 --project-id demo --agent-id ' +
        'assistant --visibility private',
    ],
  },
  tag: 'Memory',
  input: inputs,
  output: TraceResponse,
  requires: { capability: 'memory_write', scope: ({ document }) => document.scope },
  checks: scopedChecks,
  errors: ['record_not_found'],
  isHeavy: true,
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, credential, input } = request;
    const { scope, revision, cursor } = input.document;
    const namespace = namespaceOf(credential, scope);
    const root = { digest: namespace.digest, recordId: input.id, revision };
    const identity = { list: `dependents ${input.id}`, tenantId: credential.tenantId };
    const after = cursor === null ? undefined : revisedIn(decodeCursorBytes(identity, cursor));
    const { isFinished, erased } = await run(request, root);
    if (erased.some(leavesRevisions)) sweepMemory.of(runtime)();
    request.nameChanges(() => erased.map((each) => auditedChange(each.scope, each, false)));
    const page: TracePage = isFinished
      ? await runtime.store.read((tx) => {
          const { found, next } = shownPage(tx, request, { namespace, root, after });
          const position = next && revisedKeyBytes(next);
          const next_cursor = position === undefined ? null : encodeCursorBytes(identity, position);
          return { state: 'finished', dependents: found, next_cursor };
        })
      : { state: 'running', dependents: [], next_cursor: null };
    return { contract_version: CONTRACT_VERSION, scope, page };
  },
});

type Request = TenantRequest<typeof inputs>;

async function run(
  request: Request,
  root: RevisedKey,
): Promise<{ readonly isFinished: boolean; readonly erased: readonly Erased[] }> {
  const { runtime, nowMs } = request;
  const { newId, clock } = runtime;
  const untilMs = clock.monotonic() + CALL_MS_MAX;
  const idempotencyKey = `dependents of ${root.recordId} ${root.revision}`;
  const erased: Erased[] = [];
  for (let slices = 0; slices < SLICES_MAX && clock.monotonic() < untilMs; slices += 1) {
    if (slices > 0) await request.turn();
    const slice = await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const author = authorOf(credential);
      return traceSlice(tx, { credential, root, author, idempotencyKey, newId, nowMs });
    });
    erased.push(...slice.erased);
    if (slice.isFinished) return { isFinished: true, erased };
  }
  return { isFinished: false, erased };
}

/** What a page shows. */
interface Shown {
  readonly found: Dependent[];
  /** The last revision that was looked at; `undefined` at the end. */
  readonly next: RevisedKey | undefined;
}

/** Returns what the caller may read now of what was found. */
function shownPage(
  tx: ReadTx,
  { credential, input }: Request,
  {
    namespace: { tenantId },
    root,
    after,
  }: {
    readonly namespace: Namespace;
    readonly root: RevisedKey;
    readonly after: RevisedKey | undefined;
  },
): Shown {
  const { limit } = input.document;
  const trace = findTrace(tx, tenantId, root);
  if (trace === undefined) throw new AgentkeepError('record_not_found');
  const settled = settledOf(tx, tenantId, { root, run: trace.run }, { after, limit });
  const isReader = credential.spec.capabilities.includes('memory_read');
  const shown = ({ derived, outcome }: TracedRevision): Dependent[] => {
    const parts = findNamespace(tx, tenantId, derived.digest);
    const scope = parts && isReader ? coveredScope(credential, parts) : undefined;
    if (parts === undefined || scope === undefined) return [];
    if (isInForeignBranch(tx, { tenantId, parts }, credential.spec.subject_id)) return [];
    const { recordId: record_id, revision } = derived;
    return [{ scope, record_id, revision, outcome: outcome === 'hidden' ? 'left' : outcome }];
  };
  const next = settled.length < limit ? undefined : settled.at(-1)?.derived;
  return { found: settled.flatMap(shown), next };
}

/** Returns the revision in a cursor. Anyone can forge its digest, so it is checked. */
function revisedIn(bytes: Buffer): RevisedKey {
  if (bytes.length === REVISED_KEY_BYTES) {
    const revised = revisionInKey(bytes);
    if (Number.isSafeInteger(revised.revision)) return revised;
  }
  throw new AgentkeepError('invalid_request', { members: [staleCursor] });
}

/** Who erases, and when. */
export interface Eraser {
  readonly author: Author;
  /** Stands where the key of a command would. */
  readonly idempotencyKey: string;
  readonly newId: NewId;
  readonly nowMs: number;
}

/** A change that an erasure made. */
export interface Erased extends Outcome {
  readonly scope: MemoryScope;
}

/** Returns whether a revision is current or old; `undefined` if its content is gone. */
function isErasable(
  tx: ReadTx,
  namespace: Namespace,
  { recordId, revision }: RevisedKey,
  nowMs: number,
): 'current' | 'old' | undefined {
  try {
    readRevision(tx, { namespace, recordId }, revision, nowMs);
  } catch (error) {
    if (hasCode(error, 'record_not_found')) return undefined;
    throw error;
  }
  return findRecord(tx, namespace, recordId)?.revision === revision ? 'current' : 'old';
}

/**
 * Takes the content of a revision away: deletes its record if it is current, and redacts it if it
 * is kept as an old one.
 */
export function erase(
  tx: WriteTx,
  namespace: Namespace,
  { recordId, revision }: RevisedKey,
  eraser: Eraser,
): Erased[] {
  const context = { namespace, ...eraser };
  const scope = scopeOfParts(namespace.parts);
  const erased: Erased[] = [];
  const run = (change: Parameters<typeof writeOf>[0]): void => {
    erased.push({ scope, ...storeWrite(tx, namespace, writeOf(change, context)(tx), []) });
  };
  const of = { record_id: recordId };
  if (isErasable(tx, namespace, { ...namespace, recordId, revision }, eraser.nowMs) === 'current') {
    run({ type: 'delete', ...of, expected_revision: revision });
  }
  // The tenant may keep the content of deleted records for a while.
  if (isErasable(tx, namespace, { ...namespace, recordId, revision }, eraser.nowMs) === 'old') {
    run({ type: 'redact', ...of, revision });
  }
  return erased;
}
