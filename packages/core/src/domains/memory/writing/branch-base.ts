/**
 * What commands in a branch need of the scope below it. The first command on a record copies it
 * into the branch, so that commands find there what a copy of the scope would have had.
 */
import { certain } from '../../../contract/certain.js';
import { refuseErased } from '../../../kernel/erased/erasure-mark-store.js';
import {
  baseOf,
  branchOf,
  type Namespace,
  type NamespaceParts,
} from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { NAME_BYTES_MAX } from '../../../contract/limits.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { noteBranchSpace, type StoredBranch } from '../branch/branch-store.js';
import { isProposal, liveBranch } from '../branch/live-branch.js';
import type { MemoryChange } from '../documents/schema.js';
import type { ViewRequest } from '../view/build-view.js';
import { readNamed, readThrough } from '../view/read-through.js';
import type { ViewedReads } from '../view/viewed-reads.js';
import { findRevision } from '../revision/revision-store.js';
import { copyUp, type StandingFact } from './copy-up.js';

/** A command with the namespace that it is for. */
export interface PlacedChange {
  readonly namespace: Namespace;
  readonly operation: MemoryChange;
}

/** What commands in branches do beside their writes. */
export interface BranchBase {
  /**
   * Requires the branches to be there, and those of the writer's own subject where it may only
   * propose: others merge theirs without a review.
   *
   * @throws {AgentkeepError} `branch_not_found`, `forbidden`, `erasure_in_progress`
   */
  readonly require: (tx: ReadTx, writer: ActingCredential, nowMs: number) => void;
  /**
   * Copies the records that the commands name into their branches, unless they are there.
   *
   * @throws {AgentkeepError} `branch_closed` in a proposal
   */
  readonly prepare: (tx: WriteTx, nowMs: number) => void;
}

/** Finds out what commands need of the scopes below their branches; nothing outside of branches. */
export function branchBaseOf(
  request: ViewRequest,
  changes: readonly PlacedChange[],
): Promise<BranchBase> | undefined {
  const placed = changes.filter(({ namespace }) => branchOf(namespace.parts) !== undefined);
  return placed.length === 0 ? undefined : baseOfPlaced(request, placed);
}

async function baseOfPlaced(
  request: ViewRequest,
  placed: readonly PlacedChange[],
): Promise<BranchBase> {
  const { tenantId, spec } = request.credential;
  const { subject_id: subjectId } = spec;
  // Before a branch over what is being erased is missing.
  await request.runtime.store.read((tx) => {
    const named = placed.map(({ namespace }) => namespace.parts);
    refuseErased(tx, tenantId, named);
  });
  const facts: (readonly [Namespace, StandingFact])[] = [];
  for (const { namespace, operation } of placed) {
    const through = await readThrough(request, [namespace], null);
    for (const fact of await factsOf(through, namespace, operation)) facts.push([namespace, fact]);
  }
  return {
    require: (tx, writer, nowMs) => {
      for (const { namespace } of placed) {
        const branch = liveBranch(tx, namespace, { subjectId: writer.spec.subject_id, nowMs });
        if (branch === undefined) continue;
        requireWritable(branch, writer);
        // One with private scopes goes whole with any of them.
        refuseErased(tx, tenantId, branch.scopes.filter(isPrivate));
      }
    },
    prepare: (tx, nowMs) => {
      for (const { namespace } of placed) {
        const branch = liveBranch(tx, namespace, { subjectId, nowMs });
        if (branch !== undefined && isProposal(branch)) throw new AgentkeepError('branch_closed');
        noteBranchSpace(tx, namespace, certain(branchOf(namespace.parts), 'branch'));
      }
      for (const [branch, fact] of facts) copyUp(tx, { branch, base: baseOf(branch), nowMs }, fact);
    },
  };
}

function isPrivate([, , , , owner]: NamespaceParts): boolean {
  return owner !== null;
}

/**
 * Requires that a credential may do more than read in a branch.
 *
 * @throws {AgentkeepError} `forbidden`
 */
export function requireWritable({ author }: StoredBranch, { spec }: ActingCredential): void {
  const isOwn = author.subject_id === spec.subject_id;
  if (isOwn || spec.capabilities.includes('memory_write')) return;
  throw new AgentkeepError('forbidden', { message: FOREIGN_BRANCH });
}

const FOREIGN_BRANCH =
  'A credential that may only propose writes in branches of its own subject. Make one, or propose.';

/** Finds out what a command needs of a scope as it stood where a branch begins. */
export async function factsAt(
  request: ViewRequest,
  { namespace, operation }: PlacedChange,
  base: Uint8Array,
): Promise<StandingFact[]> {
  if (operation.type === 'create' && supersededBy(operation).length === 0) return [];
  return factsOf(await readThrough(request, [namespace], { base }), namespace, operation);
}

/** The ids of the records that a command ends. */
function supersededBy(operation: MemoryChange): readonly string[] {
  const stated = 'record' in operation ? operation.record.supersedes : undefined;
  return (stated ?? []).map(({ record_id }) => record_id);
}

async function factsOf(
  through: ViewedReads,
  namespace: Namespace,
  operation: MemoryChange,
): Promise<StandingFact[]> {
  const facts = await factsOfTarget(through, namespace, operation);
  for (const recordId of supersededBy(operation)) facts.push(await factOf(through, recordId, []));
  return facts;
}

async function factsOfTarget(
  through: ViewedReads,
  namespace: Namespace,
  operation: MemoryChange,
): Promise<StandingFact[]> {
  switch (operation.type) {
    case 'create':
      return [];
    case 'put':
    case 'remove':
      return factOfName(through, operation.name);
    case 'update':
    case 'delete':
      return [await factOf(through, operation.record_id, [])];
    case 'redact':
    case 'restore':
      return factsOfOld(through, namespace, operation);
  }
}

function factOf(
  { store, sources: [source] }: ViewedReads,
  recordId: string,
  older: readonly number[],
): Promise<StandingFact> {
  return store.read(() => {
    const revision = source?.revisionAt?.(recordId) ?? 0;
    return { recordId, revision, older: older.filter((each) => each > 0 && each < revision) };
  });
}

async function factOfName(through: ViewedReads, name: string): Promise<StandingFact[]> {
  if (Buffer.byteLength(name, 'utf8') > NAME_BYTES_MAX) return [];
  const found = await readNamed(through, name, (_tx, holder) => holder);
  return found === undefined ? [] : [await factOf(through, found.recordId, [])];
}

/** An old revision, and for a deleted record the holder of the name that it had. */
async function factsOfOld(
  through: ViewedReads,
  namespace: Namespace,
  { record_id: recordId, revision }: Extract<MemoryChange, { type: 'restore' | 'redact' }>,
): Promise<StandingFact[]> {
  const { store, sources } = through;
  const current = await store.read((tx) => {
    const found = sources[0]?.find(tx, recordId)?.value;
    if (found === undefined || found.payload !== null) return undefined;
    const before = found.revision - 1;
    const key = (each: Namespace) => ({ namespace: each, recordId });
    const last =
      findRevision(tx, key(namespace), before) ?? findRevision(tx, key(baseOf(namespace)), before);
    return { before, name: last?.record.name ?? null };
  });
  const own = await factOf(through, recordId, [revision, current?.before ?? 0]);
  const name = current?.name ?? null;
  return name === null ? [own] : [own, ...(await factOfName(through, name))];
}
