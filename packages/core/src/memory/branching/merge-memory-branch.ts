/** `mergeMemoryBranch`: makes what a branch changed memory, exactly once. */
import { scopeOfParts } from '../../access/covered-scope.js';
import { baseOf } from '../../access/namespace.js';
import type { ActingCredential } from '../../access/principal.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { sha256Text } from '../../contract/digest.js';
import { uuid } from '../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../contract/version.js';
import { originalWith } from '../../runtime/idempotency/original-of.js';
import { defineTenantOperation } from '../../runtime/operation/define-operation.js';
import type { TenantRequest } from '../../runtime/operation/requests.js';
import type { ReadTx } from '../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { isProposal } from '../branch/live-branch.js';
import { findProposal, putDecided } from '../branch/proposal-store.js';
import { digestOfBranch, findMerge, type MergeKey, putMerge } from '../branch/merge-store.js';
import { type Author, authorOf } from '../documents/author-schema.js';
import { appendProposalChange } from '../journal/change-store.js';
import { leavesRevisions } from '../revision/history-write.js';
import { auditedChange } from '../writing/audited-change.js';
import type { Outcome } from '../writing/memory-write.js';
import { namesBranch } from './branch-operation.js';
import { revisionsOf } from './compare-memory-branch.js';
import { type Difference } from './difference.js';
import {
  type BranchConflict,
  MERGE_RECORDS_MAX,
  MergeRequest,
  MergeResponse,
} from './merge-schema.js';
import { mergeRecord, type MergedDifference } from './merge-write.js';
import { requireMerger, requireReviewer } from './review.js';
import { shownBranch, shownProposal } from './show-branch.js';
import { namespacesOf, walkDifferences } from './walk-differences.js';

/** Records of one commit where there are more than can be merged in one. */
const SLICE_RECORDS = 64;
/** After this time a call does not begin another commit. */
const CALL_MS_MAX = 1_000;

const inputs = { id: uuid(), document: MergeRequest };
type Request = TenantRequest<typeof inputs>;

/** Each commit proves the caller again, and the digest. Another call goes on after a kill. */
export const mergeMemoryBranch = defineTenantOperation({
  name: 'mergeMemoryBranch',
  summary: 'Merge what a branch of memory changed, all of it or some records.',
  tag: 'Memory',
  input: inputs,
  output: MergeResponse,
  requires: { capability: ['memory_write', 'memory_review'] },
  checks: ['document', 'version', 'id', 'rules', 'authority'],
  errors: [
    ...namesBranch.errors,
    ...(['branch_closed', 'revision_conflict', 'idempotency_conflict'] as const),
  ],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { document } = input;
    const branch = await runtime.store.read((tx) => mergeable(tx, credential, input.id, nowMs));
    const merge = new Merge(request, branch);
    const known = await runtime.store.read((tx) => merge.known(tx));
    if (known?.isFinished === true) return answer('merged', known.merged, 0, []);
    requireUndecided(branch);
    const differing = await differencesOf(request, branch);
    const found = wantedOf(differing, document.records);
    const conflicts = found.flatMap(({ conflict }) => (conflict === null ? [] : [conflict]));
    const merged = known?.merged ?? 0;
    if (conflicts.length > 0) return answer('conflicts', merged, found.length, conflicts);
    await runtime.store.read((tx) => {
      merge.requireDigest(tx);
    });
    if (document.dry_run) return answer('checked', merged, found.length, []);
    if (isProposal(branch)) for (const each of found) requireReviewer(each, credential);
    const isAll = found.length === differing.length;
    const left = await merge.run(
      found.map(({ decided }) => decided),
      isAll,
    );
    return answer(left === 0 ? 'merged' : 'running', merged + found.length - left, left, []);
  },
});

/** A merge during one call. */
class Merge {
  readonly #request: Request;
  readonly #branch: KeyedBranch;
  readonly #key: MergeKey;
  readonly #fingerprint: string;

  constructor(request: Request, branch: KeyedBranch) {
    const { credential, input } = request;
    const { idempotency_key: idempotencyKey, digest, records } = input.document;
    const { tenantId, spec } = credential;
    this.#request = request;
    this.#branch = branch;
    this.#key = { tenantId, id: branch.id, subjectId: spec.subject_id, idempotencyKey };
    const wanted = records?.map((id) => id.toLowerCase()).sort() ?? null;
    this.#fingerprint = sha256Text(JSON.stringify([digest, wanted]), 'base64url');
  }

  /** Returns how far an earlier call with the key came. */
  known(tx: ReadTx) {
    return originalWith(findMerge(tx, this.#key), this.#fingerprint);
  }

  /**
   * Requires the branch to be as it was when it was compared.
   * @throws {AgentkeepError} `revision_conflict`
   */
  requireDigest(tx: ReadTx): void {
    if (digestOfBranch(tx, this.#key.tenantId, this.#branch.id) === this.digest) return;
    const members = [{ path: 'digest', expected: 'the digest of the branch now' }];
    throw new AgentkeepError('revision_conflict', { members });
  }

  /** The digest of what is merged. */
  get digest(): string {
    return this.#request.input.document.digest;
  }

  /**
   * Merges records, deletions first, since they free names; returns how many are left. If these are
   * all of a proposal, it is decided with the last one.
   */
  async run(decided: readonly MergedDifference[], isAll: boolean): Promise<number> {
    const { runtime } = this.#request;
    const size = decided.length <= MERGE_RECORDS_MAX ? MERGE_RECORDS_MAX : SLICE_RECORDS;
    const untilMs = runtime.clock.monotonic() + CALL_MS_MAX;
    const done: { readonly of: MergedDifference; readonly outcome: Outcome }[] = [];
    do {
      const part = decided.slice(done.length, done.length + size);
      const isLast = done.length + part.length === decided.length;
      done.push(...(await this.#commit(part, { isLast, isAll })));
      await this.#request.turn();
    } while (done.length < decided.length && runtime.clock.monotonic() < untilMs);
    const isDecided = isAll && isProposal(this.#branch);
    if (isDecided || done.some(({ outcome }) => leavesRevisions(outcome))) runtime.sweepMemory();
    this.#request.nameChanges(() =>
      done.map(({ of, outcome }) =>
        auditedChange(scopeOfParts(baseOf(of.namespace).parts), outcome, false),
      ),
    );
    return decided.length - done.length;
  }

  #commit(
    part: readonly MergedDifference[],
    { isLast, isAll }: { readonly isLast: boolean; readonly isAll: boolean },
  ) {
    const { runtime, nowMs } = this.#request;
    const { idempotencyKey } = this.#key;
    return runtime.store.transact((tx) => {
      const credential = this.#request.confirm(tx);
      const branch = mergeable(tx, credential, this.#branch.id, nowMs);
      requireUndecided(branch);
      this.requireDigest(tx);
      const author = authorOf(credential);
      const merger = { author, idempotencyKey, newId: runtime.newId, nowMs };
      const made = part.map((of) => ({ of, outcome: mergeRecord(tx, of, merger) }));
      const merged = (this.known(tx)?.merged ?? 0) + made.length;
      putMerge(tx, this.#key, { fingerprint: this.#fingerprint, merged, isFinished: isLast });
      if (isLast && isAll && isProposal(branch)) {
        const decision = { state: 'merged', decidedAtMillis: nowMs, reviewer: author } as const;
        const { tenantId } = credential;
        const decided = putDecided(tx, tenantId, branch, { ...decision, reason: null });
        appendProposalChange(tx, tenantId, decided);
      }
      return made;
    });
  }
}

/**
 * Returns a branch that a credential may merge, or a proposal that it may review, decided or not.
 *
 * @throws {AgentkeepError} `branch_not_found`, `forbidden`
 */
function mergeable(
  tx: ReadTx,
  credential: ActingCredential,
  id: string,
  nowMs: number,
): KeyedBranch {
  const decided = findProposal(tx, credential.tenantId, id);
  const isDecided = decided !== undefined && decided.state !== 'proposed';
  const branch = isDecided
    ? shownProposal(tx, credential, id)
    : shownBranch(tx, credential, id, nowMs);
  if (isProposal(branch)) requireReviewer(branch, credential);
  else requireMerger(tx, branch, credential);
  return branch;
}

/**
 * Requires that nothing was decided.
 *
 * @throws {AgentkeepError} `branch_closed`
 */
function requireUndecided(branch: KeyedBranch): void {
  if (isProposal(branch) && branch.state !== 'proposed') throw new AgentkeepError('branch_closed');
}

interface Found {
  readonly decided: MergedDifference;
  readonly conflict: BranchConflict | null;
  readonly isDeletion: boolean;
  /** Of the record in the branch. */
  readonly author: Author;
}

/** Returns what differs and isn't merged yet. */
async function differencesOf(request: Request, branch: KeyedBranch): Promise<Found[]> {
  const found: Found[] = [];
  const namespaces = namespacesOf(request.credential, branch);
  for await (const each of walkDifferences(request, namespaces, undefined, decidedOf)) {
    found.push(each);
  }
  return found;
}

/** Returns what is to be merged, deletions first. */
function wantedOf(differing: readonly Found[], records: readonly string[] | undefined): Found[] {
  const wanted = records && new Set(records.map(lower));
  const found = differing.filter(({ decided }) => wanted?.has(decided.recordId) !== false);
  return [...found.filter((each) => each.isDeletion), ...found.filter((each) => !each.isDeletion)];
}

const lower = (id: string): string => id.toLowerCase();

function decidedOf(_tx: ReadTx, difference: Difference): Found {
  const { namespace, recordId, baseRevision, branch, conflict: reason } = difference;
  return {
    decided: { namespace, recordId, baseRevision, branchRevision: branch.revision },
    conflict: reason === null ? null : { ...revisionsOf(difference), reason },
    isDeletion: branch.payload === null,
    author: branch.author,
  };
}

function answer(
  state: MergeResponse['merge']['state'],
  merged: number,
  left: number,
  conflicts: BranchConflict[],
): MergeResponse {
  const some = conflicts.slice(0, MERGE_RECORDS_MAX);
  return {
    contract_version: CONTRACT_VERSION,
    merge: { state, merged, left, conflicts: some },
  };
}
