/** The operations that create, show, list and drop branches. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { exampleId, exampleScope, exampleVersion } from '../../../contract/example-values.js';
import { shownAs, storedAs } from '../../../contract/schema/member-names.js';
import { isUuid, uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { coveredScope, scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { namespaceOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { listDirectory } from '../../../kernel/lists/list-directory.js';
import { PageParameters } from '../../../kernel/lists/page.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { ReadTx } from '../../../storage/store/store.js';
import {
  type CountedBranch,
  decideBranch,
  STORED_BRANCHES_MAX,
  WRITING_IN_BRANCHES,
} from '../branch/branch-policy.js';
import {
  branchesAfter,
  holdRevisions,
  type KeyedBranch,
  noteEnded,
  putBranch,
} from '../branch/branch-store.js';
import { findOpen, isLive, isOver, isProposal } from '../branch/live-branch.js';
import { endWaiting, findProposal, type KeyedProposal } from '../branch/proposal-store.js';
import { positionAt, type Start } from '../changes/read-changes.js';
import { authorOf } from '../documents/author-schema.js';
import { type ChangeCursors, cursorsOf, settledPosition } from '../journal/change-cursor.js';
import { floorOf } from '../journal/change-store.js';
import { sweepMemory } from '../retention/sweep-store.js';
import { requireWritable } from '../writing/branch-base.js';
import {
  BranchesResponse,
  BranchParameters,
  BranchResponse,
  DroppedBranchResponse,
  MemoryBranch,
  NewBranch,
} from './branch-schema.js';
import { requireAuthor } from './review.js';

/** Copies nothing, and takes the same time for any number of records. */
export const createMemoryBranch = defineTenantOperation({
  name: 'createMemoryBranch',
  summary: 'Make a branch of memory over 1 to 16 scopes.',
  example: {
    document: {
      ...exampleVersion,
      name: 'trial',
      scopes: [exampleScope],
      expires_in_seconds: 3_600,
    },
  },
  command: {
    name: 'memory create-branch',
    examples: [
      'agentkeep memory create-branch --name trial --scopes ' +
        'project_id=demo,agent_id=assistant,visibility=private',
    ],
  },
  tag: 'Memory',
  input: { document: NewBranch },
  output: BranchResponse,
  requires: {
    capability: WRITING_IN_BRANCHES,
    scopes: ({ document }) => ({
      all: document.scopes,
      memberOf: (index) => `scopes[${index}]`,
    }),
  },
  checks: inputFirstChecks,
  errors: ['revision_conflict', 'branch_limit', 'position_expired'],
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { scopes, as_of, expires_in_seconds: seconds, ...stated } = input.document;
    const { tenantId } = credential;
    const cursors = await cursorsOf(runtime, tenantId);
    const start = as_of === null ? 'latest' : cursors.open(as_of.cursor, FOREIGN_CURSOR);
    const position = await positionOf(runtime, tenantId, start);
    const branch: KeyedBranch = {
      ...storedAs(stated),
      id: runtime.newId(),
      scopes: scopes.map((scope) => namespaceOf(credential, scope).parts),
      position: Buffer.from(position).toString('hex'),
      createdAtMillis: nowMs,
      endsAtMillis: nowMs + seconds * 1_000,
      author: authorOf(credential),
    };
    await runtime.store.transact((tx) => {
      request.confirm(tx);
      const decision = decideBranchIn(tx, tenantId, branch, nowMs);
      if (decision === 'name_taken') throw new AgentkeepError('revision_conflict');
      if (decision === 'too_many') throw new AgentkeepError('branch_limit');
      putBranch(tx, tenantId, branch);
      for (const parts of branch.scopes) holdRevisions(tx, tenantId, parts, branch.endsAtMillis);
    });
    return { contract_version: CONTRACT_VERSION, branch: showBranch(branch, cursors) };
  },
});

const FOREIGN_CURSOR = { path: 'as_of.cursor', expected: 'a cursor of the change feed' };

/** Returns the position of a branch. */
async function positionOf(
  runtime: Pick<Runtime, 'store'>,
  tenantId: string,
  start: Start,
): Promise<Uint8Array> {
  if (start === 'latest') return settledPosition(runtime, tenantId);
  return runtime.store.read((tx) =>
    positionAt(start, floorOf(tx, tenantId), Uint8Array.from(tx.horizon())),
  );
}

/** Decides on another branch beside those of its tenant. */
export function decideBranchIn(
  tx: ReadTx,
  tenantId: string,
  { name, scopes, author }: Pick<KeyedBranch, 'name' | 'scopes' | 'author'>,
  nowMs: number,
): ReturnType<typeof decideBranch> {
  const stored = branchesAfter(tx, tenantId, undefined, STORED_BRANCHES_MAX);
  const live = stored.filter((each) => isLive(each, nowMs));
  const counted = live.map((each): CountedBranch => ({
    name: each.name,
    subjectId: each.author.subject_id,
    over: scopes.flatMap((parts, at) => (isOver(each, parts) ? [at] : [])),
  }));
  const wanted = { name, subjectId: author.subject_id, scopes: scopes.length };
  return decideBranch(counted, { ...wanted, stored: stored.length });
}

/** The input, checks and errors of an operation that names a branch. */
export const namesBranch = {
  tag: 'Memory',
  input: { id: uuid(), parameters: BranchParameters },
  checks: inputFirstChecks,
  errors: ['branch_not_found'],
} as const;

/** Shows it to who may read all of its scopes. */
export const getMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'getMemoryBranch',
  summary: 'Show a branch of memory.',
  example: { id: exampleId, parameters: exampleVersion },
  effect: 'read',
  output: BranchResponse,
  requires: { capability: 'memory_read' },
  handler: async ({ runtime, credential, input, nowMs }) => {
    const cursors = await cursorsOf(runtime, credential.tenantId);
    const found = await runtime.store.read((tx) => shownBranch(tx, credential, input.id, nowMs));
    return { contract_version: CONTRACT_VERSION, branch: showBranch(found, cursors) };
  },
});

/** Branches that one look reads. */
const LOOKED_AT_ONCE = 64;

/** The oldest ones first. Pages reflect concurrent changes. */
export const listMemoryBranches = defineTenantOperation({
  name: 'listMemoryBranches',
  summary: 'List the branches of memory that the caller may read.',
  example: { parameters: exampleVersion },
  command: {
    name: 'memory branches',
    columns: ['id', 'name', 'author.subject_id', 'ends_at_millis', 'purpose'],
  },
  tag: 'Memory',
  effect: 'read',
  input: { parameters: PageParameters },
  output: BranchesResponse,
  requires: { capability: 'memory_read' },
  checks: inputFirstChecks,
  isHeavy: true,
  handler: async ({ runtime, credential, input, nowMs }) => {
    const { tenantId } = credential;
    const cursors = await cursorsOf(runtime, credential.tenantId);
    return listDirectory(runtime.store, input.parameters, {
      identity: { list: 'branches', tenantId },
      read: (tx, page) =>
        shownAfter(tx, tenantId, page, (branch) => isShownTo(branch, credential, nowMs)),
      show: (_tx, branch) => showBranch(branch, cursors),
      placeOf: ({ id }) => id,
      isPlace: isUuid,
    });
  },
});

/** A tenant has few live branches, and ended ones are swept, so the walk is short. */
function shownAfter(
  tx: ReadTx,
  tenantId: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
  isShown: (branch: KeyedBranch) => boolean,
): KeyedBranch[] {
  const shown: KeyedBranch[] = [];
  for (let from = after; ;) {
    const looked = branchesAfter(tx, tenantId, from, LOOKED_AT_ONCE);
    shown.push(...looked.filter(isShown));
    from = looked.at(-1)?.id;
    if (looked.length < LOOKED_AT_ONCE || shown.length >= limit) return shown.slice(0, limit);
  }
}

/**
 * Nothing reads it from the commit on. Its entries are removed in slices, in the background.
 * Its author withdraws a proposal so.
 */
export const dropMemoryBranch = defineTenantOperation({
  ...namesBranch,
  name: 'dropMemoryBranch',
  summary: 'End a branch of memory, with everything in it.',
  example: { id: exampleId, parameters: exampleVersion },
  command: { name: 'memory drop-branch' },
  output: DroppedBranchResponse,
  requires: { capability: WRITING_IN_BRANCHES },
  whenFull: 'served',
  handler: async (request) => {
    const { runtime, input, nowMs } = request;
    await runtime.store.transact((tx) => {
      const credential = request.confirm(tx);
      const found = shownBranch(tx, credential, input.id, nowMs);
      requireWritable(found, credential);
      if (isProposal(found)) {
        requireAuthor(found, credential);
        endWaiting(tx, credential.tenantId, found);
        return;
      }
      noteEnded(tx, credential.tenantId, found);
      // A clock that is set back doesn't bring it to life again.
      putBranch(tx, credential.tenantId, { ...found, endsAtMillis: 0 });
    });
    sweepMemory.of(runtime)();
    return { contract_version: CONTRACT_VERSION, dropped: true as const };
  },
});

/** Returns whether a branch is live, and all of its scopes are those of a credential. */
function isShownTo(branch: KeyedBranch, credential: ActingCredential, nowMs: number): boolean {
  return isLive(branch, nowMs) && isCovered(branch, credential);
}

/** Returns whether all scopes of a branch are those of a credential, and private ones its own. */
export function isCovered({ scopes }: KeyedBranch, credential: ActingCredential): boolean {
  return scopes.every((each) => coveredScope(credential, each) !== undefined);
}

/**
 * Returns a branch that a credential may see.
 *
 * @throws {AgentkeepError} `branch_not_found`
 */
export function shownBranch(
  tx: ReadTx,
  credential: ActingCredential,
  id: string,
  nowMs: number,
): KeyedBranch {
  const found = findOpen(tx, credential.tenantId, id);
  if (found !== undefined && isShownTo(found, credential, nowMs)) return found;
  throw new AgentkeepError('branch_not_found');
}

/** Returns a proposal, whatever was decided, that a credential may see. */
export function shownProposal(tx: ReadTx, credential: ActingCredential, id: string): KeyedProposal {
  const found = findProposal(tx, credential.tenantId, id);
  if (found !== undefined && isCovered(found, credential)) return found;
  throw new AgentkeepError('branch_not_found');
}

/** Shows a branch. */
function showBranch(branch: KeyedBranch, cursors: ChangeCursors): MemoryBranch {
  return shownAs(MemoryBranch, branch, {
    scopes: branch.scopes.map(scopeOfParts),
    position: cursors.seal(Buffer.from(branch.position, 'hex')),
  });
}
