/**
 * Proposes changes: makes a branch with them in it that is closed to commands and waits, all in one
 * commit, once per idempotency key (docs/contract/review.md).
 */
import {
  baseOf,
  type Namespace,
  type NamespaceParts,
  scopePartsOf,
} from '../../access/namespace.js';
import { ensureNamespace } from '../../access/namespace-store.js';
import type { ActingCredential } from '../../access/principal.js';
import type { MemoryScope } from '../../access/scope.js';
import { sha256Text } from '../../contract/digest.js';
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { originalWith } from '../../runtime/idempotency/original-of.js';
import type { InputSchemas } from '../../runtime/input/input-rules.js';
import type { TenantRequest } from '../../runtime/operation/requests.js';
import { keepWithinQuota } from '../../runtime/quota/growth-limit.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { holdRevisions, noteBranchSpace } from '../branch/branch-store.js';
import { mayWait } from '../branch/proposal-policy.js';
import {
  findProposal,
  type KeyedProposal,
  putWaiting,
  waitingCounts,
} from '../branch/proposal-store.js';
import { cursorsOf } from '../journal/change-cursor.js';
import { appendProposalChange } from '../journal/change-store.js';
import { settledPosition } from '../journal/settled-position.js';
import { authorOf } from '../documents/author-schema.js';
import { BRANCH_SCOPES_MAX } from '../documents/proposal-schema.js';
import type { MemoryChange } from '../documents/schema.js';
import { factsAt, type PlacedChange } from './branch-base.js';
import { copyUp, type StandingFact } from './copy-up.js';
import type { Outcome } from './memory-write.js';

/** Changes to propose, and what they say about themselves. */
export interface Proposing {
  readonly id: string;
  /** With namespaces in the branch of that id, over shared scopes. */
  readonly changes: readonly PlacedChange[];
  readonly fingerprint: string;
  readonly purpose: string | null;
  readonly seconds: number;
  /** Makes the changes in the branch. It runs once, also if it is repeated. */
  readonly run: (tx: WriteTx, writer: ActingCredential) => readonly Outcome[];
}

/**
 * Requires that a command can be proposed: a reviewer would see what is private, what is in a
 * branch is merged with that, and nothing is derived from what only waits.
 *
 * @throws {AgentkeepError} `invalid_request` that names the member
 */
export function requireReviewable(
  { scope, operation }: { readonly scope: MemoryScope; readonly operation: MemoryChange },
  path: string,
): void {
  const isOutside = scope.visibility === 'shared' && scope.branch === undefined;
  if (!isOutside) {
    throw invalid(`${path}scope`, 'a shared scope outside of branches, as a proposal needs');
  }
  if ('dependents' in operation && operation.dependents !== undefined) {
    throw invalid(`${path}operation.dependents`, 'absent, as the command waits for review');
  }
}

function invalid(path: string, expected: string): AgentkeepError {
  return new AgentkeepError('invalid_request', { members: [{ path, expected }] });
}

/** Returns the id of the proposal of a key: in one scope, or of a batch for `null`. */
export function proposalIdOf(
  { tenantId, spec }: ActingCredential,
  scope: NamespaceParts | null,
  idempotencyKey: string,
): string {
  const name = JSON.stringify(['proposal', tenantId, spec.subject_id, scope, idempotencyKey]);
  const hex = sha256Text(name, 'hex');
  // A UUID of version 8: 122 bits of the digest.
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`];
  return [...parts, `${variant}${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
}

/**
 * Proposes changes; returns the proposal of an earlier call with the key if there is one.
 *
 * @throws {AgentkeepError} `idempotency_conflict`, `branch_limit`, and what `run` throws
 */
export async function proposeChanges(
  request: TenantRequest<InputSchemas>,
  proposing: Proposing,
): Promise<{ readonly proposal: KeyedProposal; readonly isReplay: boolean }> {
  const { runtime, credential, nowMs } = request;
  const { tenantId } = credential;
  const { id, changes, fingerprint, purpose, seconds, run } = proposing;
  const position = await settledPosition(runtime, tenantId);
  const cursor = (await cursorsOf(runtime, tenantId)).seal(position);
  const facts: (readonly [Namespace, StandingFact])[] = [];
  for (const { namespace, operation } of changes) {
    const outside = { namespace: baseOf(namespace), operation };
    for (const fact of await factsAt(request, outside, cursor)) facts.push([namespace, fact]);
  }
  const scopes = scopesIn(changes);
  if (scopes.length > BRANCH_SCOPES_MAX) {
    throw invalid('commands', `commands in at most ${BRANCH_SCOPES_MAX} scopes, as they wait`);
  }
  const proposed: Omit<KeyedProposal, 'outcomes'> = {
    id,
    name: id,
    scopes,
    position: Buffer.from(position).toString('hex'),
    createdAtMillis: nowMs,
    endsAtMillis: nowMs + seconds * 1_000,
    purpose,
    author: authorOf(credential),
    proposedAtMillis: nowMs,
    state: 'proposed',
    fingerprint,
    decidedAtMillis: null,
    reviewer: null,
    reason: null,
  };
  return runtime.store.transact((tx) => {
    const writer = request.confirm(tx);
    const known = originalWith(knownProposal(tx, tenantId, id), fingerprint);
    if (known !== undefined) return { proposal: known, isReplay: true };
    // Also for a command that would make room outside of proposals.
    keepWithinQuota(tx);
    requireRoom(tx, tenantId, proposed.scopes);
    for (const { namespace } of changes) {
      noteBranchSpace(tx, namespace, id);
      ensureNamespace(tx, namespace);
    }
    for (const [branch, fact] of facts) copyUp(tx, { branch, base: baseOf(branch), nowMs }, fact);
    const outcomes = run(tx, writer).map(
      ({ recordId, revision, action }) => [recordId, revision, action] as const,
    );
    const proposal = { ...proposed, outcomes };
    putWaiting(tx, tenantId, proposal);
    appendProposalChange(tx, tenantId, proposal);
    for (const parts of proposed.scopes) {
      holdRevisions(tx, tenantId, parts, proposal.endsAtMillis);
    }
    return { proposal, isReplay: false };
  });
}

/**
 * Requires that another proposal may wait.
 *
 * @throws {AgentkeepError} `branch_limit`
 */
export function requireRoom(tx: ReadTx, tenantId: string, scopes: readonly NamespaceParts[]): void {
  if (!mayWait(waitingCounts(tx, tenantId, scopes))) throw new AgentkeepError('branch_limit');
}

/** A branch that was submitted has no fingerprint, and no key leads to it. */
function knownProposal(tx: ReadTx, tenantId: string, id: string) {
  const known = findProposal(tx, tenantId, id);
  return known && { ...known, fingerprint: known.fingerprint ?? '' };
}

function scopesIn(changes: readonly PlacedChange[]): NamespaceParts[] {
  const named = changes.map(({ namespace }) => {
    const parts = scopePartsOf(namespace.parts);
    return [JSON.stringify(parts), parts] as const;
  });
  return [...new Map(named).values()];
}
