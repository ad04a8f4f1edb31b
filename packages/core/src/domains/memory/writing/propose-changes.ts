/**
 * Proposes changes: makes a branch with them in it that is closed to commands and waits, all in one
 * commit, once per idempotency key (docs/contract/review.md).
 */
import {
  baseOf,
  ensureNamespace,
  type Namespace,
  type NamespaceParts,
  scopePartsOf,
} from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { MemoryScope } from '../../../kernel/access/scope.js';
import { sha256Text } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { keepWithinQuota } from '../../../kernel/counts/counts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import { holdRevisions, noteBranchSpace } from '../branch/branch-store.js';
import { mayWait } from '../branch/proposal-policy.js';
import {
  endWaiting,
  findProposal,
  isKept,
  type KeyedProposal,
  orderedAt,
  placeTakerOf,
  type ProposalPlace,
  proposalsAfter,
  putWaiting,
  waitingCounts,
} from '../branch/proposal-store.js';
import type { StoredReceipt } from '../record/receipt-store.js';
import { appendProposalChange } from '../journal/change-store.js';
import { settledPosition } from '../journal/change-cursor.js';
import { authorOf } from '../documents/author-schema.js';
import { BRANCH_SCOPES_MAX } from '../documents/proposal-schema.js';
import type { MemoryChange } from '../documents/schema.js';
import { factsAt, type PlacedChange } from './branch-base.js';
import { copyUp, type StandingFact } from './copy-up.js';

/** Changes to propose, and what they say about themselves. */
export interface Proposing<R extends KeyedReceipt> {
  readonly id: string;
  /** With namespaces in the branch of that id, over shared scopes. */
  readonly changes: readonly PlacedChange[];
  readonly purpose: string | null;
  readonly seconds: number;
  /** Returns the receipt of an earlier call with the key, of a proposal or not. */
  readonly find: (tx: WriteTx) => R | undefined;
  /** Makes the changes in the branch, and stores the receipt of their key. */
  readonly run: (tx: WriteTx, writer: ActingCredential) => R;
}

/** The receipt of a command or of a batch. */
type KeyedReceipt = Pick<StoredReceipt, 'isProposed'>;

/** A receipt, with the proposal that its command became. */
export interface ProposedReceipt<R extends KeyedReceipt> {
  readonly receipt: R;
  /** `undefined` where the key had taken effect before. */
  readonly proposal: KeyedProposal | undefined;
  readonly isReplay: boolean;
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
 * Returns the proposal of a receipt as it is now; `undefined` for one that is of none.
 *
 * @throws {AgentkeepError} `branch_closed` once it has ended undecided, or its decision isn't kept:
 * its key stays used.
 */
export function proposalOfReceipt(
  tx: ReadTx,
  { tenantId, id }: { readonly tenantId: string; readonly id: string },
  { isProposed = false }: KeyedReceipt,
  nowMs: number,
): KeyedProposal | undefined {
  if (!isProposed) return undefined;
  const found = findProposal(tx, tenantId, id);
  if (found === undefined || !isKept(found, nowMs)) throw new AgentkeepError('branch_closed');
  return found;
}

/**
 * Proposes changes; returns the receipt of an earlier call with the key if there is one.
 *
 * @throws {AgentkeepError} `idempotency_conflict`, `branch_closed`, `branch_limit`, and what `run`
 * throws
 */
export async function proposeChanges<R extends KeyedReceipt>(
  request: TenantRequest<InputSchemas>,
  proposing: Proposing<R>,
): Promise<ProposedReceipt<R>> {
  const { runtime, credential, nowMs } = request;
  const { tenantId } = credential;
  const { id, changes, purpose, seconds, find, run } = proposing;
  const position = await settledPosition(runtime, tenantId);
  const facts: (readonly [Namespace, StandingFact])[] = [];
  for (const { namespace, operation } of changes) {
    const outside = { namespace: baseOf(namespace), operation };
    for (const fact of await factsAt(request, outside, position)) facts.push([namespace, fact]);
  }
  const scopes = scopesIn(changes);
  if (scopes.length > BRANCH_SCOPES_MAX) {
    throw invalid('commands', `commands in at most ${BRANCH_SCOPES_MAX} scopes, as they wait`);
  }
  const proposal: KeyedProposal = {
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
    takenBy: placeTakerOf(credential),
    decidedAtMillis: null,
    reviewer: null,
    reason: null,
    merged: [],
    mergedCount: 0,
  };
  await endOverdue(request, proposal);
  return runtime.store.transact((tx) => {
    const writer = request.confirm(tx);
    const known = find(tx);
    if (known !== undefined) {
      const found = proposalOfReceipt(tx, { tenantId, id }, known, nowMs);
      return { receipt: known, proposal: found, isReplay: true };
    }
    // Also for a command that would make room outside of proposals.
    keepWithinQuota(tx);
    requireRoom(tx, tenantId, proposal);
    for (const { namespace } of changes) {
      noteBranchSpace(tx, namespace, id);
      ensureNamespace(tx, namespace);
    }
    for (const [branch, fact] of facts) copyUp(tx, { branch, base: baseOf(branch), nowMs }, fact);
    const receipt = run(tx, writer);
    putWaiting(tx, tenantId, proposal);
    appendProposalChange(tx, tenantId, proposal);
    for (const parts of scopes) holdRevisions(tx, tenantId, parts, proposal.endsAtMillis);
    return { receipt, proposal, isReplay: false };
  });
}

/**
 * Requires that another proposal may wait.
 *
 * @throws {AgentkeepError} `branch_limit`
 */
export function requireRoom(
  tx: ReadTx,
  tenantId: string,
  wanted: Pick<KeyedProposal, 'scopes' | 'takenBy'>,
): void {
  if (!mayWait(waitingCounts(tx, tenantId, wanted))) throw new AgentkeepError('branch_limit');
}

/** Proposals that one transaction looks at. */
const LOOKED_AT_ONCE = 64;

/** Where no other proposal may wait, ends those whose time is over. The sweep may come later. */
export async function endOverdue(
  request: TenantRequest<InputSchemas>,
  wanted: Pick<KeyedProposal, 'scopes' | 'takenBy'>,
): Promise<void> {
  const { runtime, credential, nowMs } = request;
  const { tenantId } = credential;
  if (await runtime.store.read((tx) => mayWait(waitingCounts(tx, tenantId, wanted)))) return;
  let after: ProposalPlace | undefined;
  do {
    const part = { after, limit: LOOKED_AT_ONCE };
    const looked = await runtime.store.transact((tx) => {
      request.confirm(tx);
      const found = proposalsAfter(tx, tenantId, 'proposed', part).flatMap(
        (id) => findProposal(tx, tenantId, id) ?? [],
      );
      for (const each of found) if (!isKept(each, nowMs)) endWaiting(tx, tenantId, each);
      return found;
    });
    const last = looked.at(-1);
    after =
      last === undefined || looked.length < LOOKED_AT_ONCE
        ? undefined
        : { atMillis: orderedAt(last), id: last.id };
    await request.turn();
  } while (after !== undefined);
}

function scopesIn(changes: readonly PlacedChange[]): NamespaceParts[] {
  const named = changes.map(({ namespace }) => {
    const parts = scopePartsOf(namespace.parts);
    return [JSON.stringify(parts), parts] as const;
  });
  return [...new Map(named).values()];
}
