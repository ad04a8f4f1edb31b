/** `mergeMemoryBranch`: makes what a branch changed memory, exactly once. */
import { sweepMemory } from '../retention/sweep-store.js';
import { exampleId, exampleVersion } from '../../../contract/example-values.js';
import { scopeOfParts } from '../../../kernel/access/covered-scope.js';
import { refuseErased, refuseErasedSubject } from '../../../kernel/erased/erasure-mark-store.js';
import { baseOf } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { sha256Text } from '../../../contract/digest.js';
import { uuid } from '../../../contract/schema/uuid.js';
import { CONTRACT_VERSION } from '../../../contract/version.js';
import { originalWith } from '../../../kernel/idempotency/original-of.js';
import { defineTenantOperation } from '../../../kernel/operation/define-operation.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { inputFirstChecks } from '../../../kernel/operation/orders-of-checks.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { KeyedBranch } from '../branch/branch-store.js';
import { isProposal } from '../branch/live-branch.js';
import {
  findProposal,
  type KeyedProposal,
  putDecided,
  putMergedPart,
  withMerged,
} from '../branch/proposal-store.js';
import { digestOfBranch, findMerge, type MergeKey, putMerge } from '../branch/merge-store.js';
import { type Author, authorOf } from '../documents/author-schema.js';
import { appendProposalChange } from '../journal/change-store.js';
import { leavesRevisions } from '../revision/history-write.js';
import { auditedChange, auditedProposal } from '../writing/change-write.js';
import type { Outcome } from '../writing/memory-write.js';
import { namesBranch, shownBranch, shownProposal } from './manage-branches.js';
import { namespacesOf, revisionsOf, walkDifferences } from './compare-memory-branch.js';
import { branchRevisionOf, type Difference } from './difference.js';
import {
  type BranchConflict,
  MERGE_RECORDS_MAX,
  MergeRequest,
  MergeResponse,
} from './merge-schema.js';
import { mergeDifference, type MergedDifference } from './merge-write.js';
import { requireMerger, requireReviewer, type Reviewing } from './review.js';

/** Differences of one commit where there are more than can be merged in one. */
const SLICE_RECORDS = 64;
/** After this time a call does not begin another commit. */
const CALL_MS_MAX = 1_000;

const inputs = { id: uuid(), document: MergeRequest };
type Request = TenantRequest<typeof inputs>;

/** Each commit proves the caller again, and the digest. Another call goes on after a kill. */
export const mergeMemoryBranch = defineTenantOperation({
  name: 'mergeMemoryBranch',
  summary: 'Merge what a branch of memory changed, all of it or some records.',
  example: {
    id: exampleId,
    document: {
      ...exampleVersion,
      idempotency_key: 'merge-7801',
      digest: 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  command: { name: 'memory merge', examples: ['agentkeep memory merge <id> --digest <digest>'] },
  tag: 'Memory',
  input: inputs,
  output: MergeResponse,
  requires: { capability: ['memory_write', 'memory_review'] },
  checks: inputFirstChecks,
  errors: [
    ...namesBranch.errors,
    ...(['branch_closed', 'revision_conflict', 'idempotency_conflict'] as const),
    'erasure_in_progress',
  ],
  isHeavy: true,
  handler: async (request) => {
    const { runtime, credential, input, nowMs } = request;
    const { document } = input;
    const reviewing = { credential, runtime };
    const merge = new Merge(request);
    const { branch, known } = await runtime.store.read((tx) => {
      const isRepeat = merge.isFinished(tx);
      const found = mergeable(tx, reviewing, { id: input.id, isRepeat }, nowMs);
      if (!isRepeat) refuseErasedIn(tx, credential, found);
      return { branch: found, known: merge.known(tx) };
    });
    if (known?.isFinished === true) return answer('merged', known.merged, 0, []);
    requireUndecided(branch);
    const differing = await differencesOf(request, branch).catch(async (error: unknown) => {
      // If another call decides a proposal meanwhile, its records are gone.
      await runtime.store.read((tx) => {
        requireUndecided(mergeable(tx, reviewing, { id: input.id, isRepeat: false }, nowMs));
      });
      throw error;
    });
    const found = wantedOf(differing, document.records);
    const conflicts = found.flatMap(({ conflict }) => (conflict === null ? [] : [conflict]));
    const merged = known?.merged ?? 0;
    if (conflicts.length > 0) return answer('conflicts', merged, found.length, conflicts);
    await runtime.store.read((tx) => {
      merge.requireDigest(tx);
    });
    if (isProposal(branch)) {
      const authors = new Map(found.map((each) => [JSON.stringify(each.author), each]));
      await runtime.store.read((tx) => {
        for (const each of authors.values()) requireReviewer(tx, each, reviewing);
      });
    }
    if (document.dry_run) return answer('checked', merged, found.length, []);
    const isDeciding = isProposal(branch) && found.length === differing.length;
    const left = await merge.run(
      found.map(({ decided }) => decided),
      isDeciding,
    );
    return answer(left === 0 ? 'merged' : 'running', merged + found.length - left, left, []);
  },
});

/** A merge during one call. */
class Merge {
  readonly #request: Request;
  readonly #key: MergeKey;
  readonly #fingerprint: string;

  constructor(request: Request) {
    const { credential, input } = request;
    const { idempotency_key: idempotencyKey, digest, records } = input.document;
    const { tenantId, spec } = credential;
    this.#request = request;
    this.#key = { tenantId, id: input.id, subjectId: spec.subject_id, idempotencyKey };
    const wanted = records?.map((id) => id.toLowerCase()).sort() ?? null;
    this.#fingerprint = sha256Text(JSON.stringify([digest, wanted]), 'base64url');
  }

  /** Returns whether an earlier call with the key finished it. */
  isFinished(tx: ReadTx): boolean {
    return findMerge(tx, this.#key)?.isFinished === true;
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
    if (digestOfBranch(tx, this.#key.tenantId, this.#key.id) === this.digest) return;
    const members = [{ path: 'digest', expected: 'the digest of the branch now' }];
    throw new AgentkeepError('revision_conflict', { members });
  }

  /** The digest of what is merged. */
  get digest(): string {
    return this.#request.input.document.digest;
  }

  /**
   * Merges differences in their order; returns how many are left. If these are all of a proposal,
   * the last one decides it.
   */
  async run(decided: readonly MergedDifference[], isDeciding: boolean): Promise<number> {
    const { runtime } = this.#request;
    const size = decided.length <= MERGE_RECORDS_MAX ? MERGE_RECORDS_MAX : SLICE_RECORDS;
    const untilMs = runtime.clock.monotonic() + CALL_MS_MAX;
    const done: Merged[] = [];
    do {
      const part = decided.slice(done.length, done.length + size);
      const isLast = done.length + part.length === decided.length;
      done.push(...(await this.#commit(part, { isLast, isDeciding })));
      await this.#request.turn();
    } while (done.length < decided.length && runtime.clock.monotonic() < untilMs);
    const made = done.flatMap(({ of, outcome }) => (outcome === undefined ? [] : { of, outcome }));
    // The records of a decided proposal go too.
    if (isDeciding || made.some(({ outcome }) => leavesRevisions(outcome)))
      sweepMemory.of(runtime)();
    const isDecided = isDeciding && done.length === decided.length;
    this.#request.nameChanges(() => [
      ...made.map(({ of, outcome }) =>
        auditedChange(scopeOfParts(baseOf(of.namespace).parts), outcome, false),
      ),
      ...(isDecided ? [auditedProposal(this.#key.id, 'merged')] : []),
    ]);
    return decided.length - done.length;
  }

  #commit(
    part: readonly MergedDifference[],
    { isLast, isDeciding }: { readonly isLast: boolean; readonly isDeciding: boolean },
  ): Promise<readonly Merged[]> {
    const { runtime, nowMs } = this.#request;
    const { idempotencyKey } = this.#key;
    return runtime.store.transact((tx) => {
      const credential = this.#request.confirm(tx);
      const reviewing = { credential, runtime };
      const branch = mergeable(tx, reviewing, { id: this.#key.id, isRepeat: false }, nowMs);
      requireUndecided(branch);
      refuseErasedIn(tx, credential, branch);
      this.requireDigest(tx);
      const author = authorOf(credential);
      const merger = { author, idempotencyKey, newId: runtime.newId, nowMs };
      const made = allOrFirstFailure(part, (of) => ({
        of,
        outcome: mergeDifference(tx, of, merger),
      }));
      const merged = (this.known(tx)?.merged ?? 0) + made.length;
      putMerge(tx, this.#key, { fingerprint: this.#fingerprint, merged, isFinished: isLast });
      if (isProposal(branch)) this.#note(tx, branch, { made, isDecided: isLast && isDeciding });
      return made;
    });
  }

  /** Notes in a proposal what was merged of it, and that it is decided. */
  #note(tx: WriteTx, proposal: KeyedProposal, { made, isDecided }: Noted): void {
    const { credential, nowMs } = this.#request;
    const { tenantId } = credential;
    const changes = made.flatMap(({ of, outcome }) =>
      outcome === undefined ? [] : { namespace: of.namespace, ...outcome },
    );
    const noted = withMerged(proposal, tenantId, changes);
    if (!isDecided) {
      putMergedPart(tx, tenantId, noted);
      return;
    }
    const reviewer = authorOf(credential);
    const decision = { state: 'merged', decidedAtMillis: nowMs, reviewer, reason: null } as const;
    appendProposalChange(tx, tenantId, putDecided(tx, tenantId, noted, decision));
  }
}

/** What one commit of a merge did to a proposal. */
interface Noted {
  readonly made: readonly Merged[];
  /** Whether nothing of it is left. */
  readonly isDecided: boolean;
}

/** A difference with what its merge did; `undefined` where nothing was left to do. */
interface Merged {
  readonly of: MergedDifference;
  readonly outcome: Outcome | undefined;
}

/**
 * Returns a branch that a credential may merge, or a proposal that it may review, decided or not.
 * A finished merge is repeated also where merges of branches need a review by now.
 *
 * @throws {AgentkeepError} `branch_not_found`, `forbidden`
 */
function mergeable(
  tx: ReadTx,
  reviewing: Reviewing,
  { id, isRepeat }: { readonly id: string; readonly isRepeat: boolean },
  nowMs: number,
): KeyedBranch {
  const { credential } = reviewing;
  const decided = findProposal(tx, credential.tenantId, id);
  const isDecided = decided !== undefined && decided.state !== 'proposed';
  const branch = isDecided
    ? shownProposal(tx, credential, id)
    : shownBranch(tx, credential, id, nowMs);
  if (isProposal(branch)) requireReviewer(tx, branch, reviewing);
  else requireMerger(tx, isRepeat ? [] : branch.scopes, credential);
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

/**
 * Refuses to merge into a scope that is being erased, by a subject that is, and what such a subject
 * has proposed.
 *
 * @throws {AgentkeepError} `erasure_in_progress`
 */
function refuseErasedIn(
  tx: ReadTx,
  { tenantId, spec }: ActingCredential,
  branch: KeyedBranch,
): void {
  refuseErased(tx, tenantId, branch.scopes);
  refuseErasedSubject(tx, tenantId, spec.subject_id);
  if (isProposal(branch)) refuseErasedSubject(tx, tenantId, branch.author.subject_id);
}

interface Found {
  readonly decided: MergedDifference;
  readonly conflict: BranchConflict | null;
  /** Deletions are merged first, since they free names, and redactions last. */
  readonly order: 0 | 1 | 2;
  /** Of the record in the branch, or of the redaction. */
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

/** Returns what is to be merged, in order. */
function wantedOf(differing: readonly Found[], records: readonly string[] | undefined): Found[] {
  const wanted = records && new Set(records.map(lower));
  const found = differing.filter(({ decided }) => wanted?.has(decided.recordId) !== false);
  return found.toSorted((one, other) => one.order - other.order);
}

const lower = (id: string): string => id.toLowerCase();

function decidedOf(_tx: ReadTx, difference: Difference): Found {
  const { kind, namespace, recordId, baseRevision, conflict: reason } = difference;
  const branchRevision = branchRevisionOf(difference);
  const isRecord = kind === 'record';
  return {
    decided: { kind, namespace, recordId, baseRevision, branchRevision },
    conflict: reason === null ? null : { ...revisionsOf(difference), reason },
    order: isRecord ? (difference.branch.payload === null ? 0 : 1) : 2,
    author: isRecord ? difference.branch.author : difference.author,
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
