/** Reads changes of a scope, and of proposals, in their common order. */
import { setTimeout } from 'node:timers/promises';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { CHANGES_EXAMINED_MAX, CHANGES_SLICE_ENTRIES } from '../../../contract/limits.js';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { InputSchemas } from '../../../kernel/input/input-rules.js';
import type { TenantRequest } from '../../../kernel/operation/requests.js';
import { afterPosition, FIRST_POSITION, LAST_POSITION } from '../../../storage/store/position.js';
import type { SnapshotTx } from '../../../storage/store/store.js';
import { liveBranch } from '../branch/live-branch.js';
import { changesBetween, floorOf } from '../journal/change-store.js';
import {
  type VisibleChange,
  visibleChanges,
  type VisibleProposal,
  visibleProposals,
} from './visible-changes.js';

/** The part of a request that reads changes. */
export type ChangeRequest = Pick<
  TenantRequest<InputSchemas>,
  'runtime' | 'confirm' | 'turn' | 'rest' | 'forgetReads' | 'waiting' | 'authority' | 'principal'
>;

/** Where a page starts: at a position, or at one end of what is kept. */
export type Start = Uint8Array | 'oldest' | 'latest';

/** What a page shows. */
export interface ChangeQuery {
  /** Most changes. */
  readonly limit: number;
  /** The only namespace; absent for all that the caller may read. */
  readonly wanted: Namespace | undefined;
  /** Whether it shows what happened to proposals too. */
  readonly hasProposals?: boolean;
}

/** The changes of a page. */
export interface Found {
  readonly changes: readonly FoundChange[];
  /** Absent unless they were asked for. */
  readonly proposals?: readonly FoundProposal[] | undefined;
  /** Where the next page starts. */
  readonly next: Uint8Array;
  /** Whether entries are left that were not examined. */
  readonly hasMore: boolean;
  /** Whether there are committed entries that an earlier commit, still under way, holds back. */
  readonly isHeld?: boolean;
}

/** How often a reader looks again for entries that are held back: half a second in all. */
const HELD_LOOKS_MAX = 7;
/** The first wait; each further one is twice as long. */
const HELD_MS_MIN = 4;

/** Returns whether a reader has seen everything, and nothing new. */
export function isEmpty({ changes, proposals = [], hasMore }: Found): boolean {
  return changes.length === 0 && proposals.length === 0 && !hasMore;
}

/**
 * Examines slices until the page is full, nothing is left, or enough was examined.
 *
 * @throws {AgentkeepError} `position_expired`, `branch_not_found`, or what the confirmation of the
 * caller throws.
 */
export async function readChanges(
  request: ChangeRequest,
  start: Start,
  { limit, wanted, hasProposals = false }: ChangeQuery,
): Promise<Found> {
  const changes: FoundChange[] = [];
  const proposals: FoundProposal[] = [];
  let from = start;
  let looks = 0;
  for (let examined = CHANGES_SLICE_ENTRIES; ; examined += CHANGES_SLICE_ENTRIES) {
    const left = limit - changes.length - proposals.length;
    const part = { from, query: { limit: left, wanted, hasProposals } };
    const slice = await request.runtime.store.read((tx) => readSlice(tx, request, part));
    changes.push(...slice.changes);
    proposals.push(...(slice.proposals ?? []));
    const isFull = changes.length + proposals.length >= limit || examined >= CHANGES_EXAMINED_MAX;
    from = start === 'latest' ? start : slice.next;
    if (isFull || (!slice.hasMore && (slice.isHeld !== true || looks === HELD_LOOKS_MAX))) {
      return { ...slice, changes, proposals: hasProposals ? proposals : undefined };
    }
    if (slice.hasMore) {
      await request.turn();
    } else {
      // So that who was answered sees its own change.
      const delayMs = HELD_MS_MIN * 2 ** looks;
      looks += 1;
      await request.rest(() => setTimeout(delayMs));
    }
  }
}

/**
 * Returns whether there are entries from a position on, which the caller may read or not.
 *
 * @throws {AgentkeepError} `branch_not_found` once the branch that is wanted has ended, or what the
 * confirmation of the caller throws.
 */
export function hasEntriesFrom(
  tx: SnapshotTx,
  request: Pick<ChangeRequest, 'confirm' | 'runtime'>,
  { from, wanted }: { readonly from: Uint8Array } & Pick<ChangeQuery, 'wanted'>,
): boolean {
  const credential = request.confirm(tx);
  const { tenantId } = credential;
  requireBranch(tx, request, credential, wanted);
  const to = Uint8Array.from(tx.horizon());
  return changesBetween(tx, tenantId, { from, to, limit: 1 }).length > 0;
}

/** Required again at each look, so that a caller that waits learns of the end of the branch. */
function requireBranch(
  tx: SnapshotTx,
  { runtime }: Pick<ChangeRequest, 'runtime'>,
  { spec }: ActingCredential,
  wanted: Namespace | undefined,
): void {
  const use = { subjectId: spec.subject_id, nowMs: runtime.clock.now() };
  if (wanted !== undefined) liveBranch(tx, wanted, use);
}

function readSlice(
  tx: SnapshotTx,
  request: Pick<ChangeRequest, 'confirm' | 'runtime'>,
  { from: start, query }: { readonly from: Start; readonly query: ChangeQuery },
): Found {
  const credential = request.confirm(tx);
  const { tenantId } = credential;
  requireBranch(tx, request, credential, query.wanted);
  const wanted = query.wanted?.digest;
  const to = Uint8Array.from(tx.horizon());
  const from = positionAt(start, floorOf(tx, tenantId), to);
  const entries = changesBetween(tx, tenantId, { from, to, limit: CHANGES_SLICE_ENTRIES });
  const visible = visibleChanges(tx, credential, entries, wanted);
  const about =
    query.hasProposals === true ? visibleProposals(tx, credential, entries, wanted) : [];
  const { changes, proposals, last, isCut } = firstOf(visible, about, query.limit);
  if (isCut && last !== undefined) {
    return { changes, proposals, next: last, hasMore: true };
  }
  const examined = entries.at(-1);
  if (entries.length === CHANGES_SLICE_ENTRIES && examined !== undefined) {
    return { changes, proposals, next: afterPosition(examined.position), hasMore: true };
  }
  const isHeld =
    request.runtime.store.isShared &&
    changesBetween(tx, tenantId, { from: to, to: LAST_POSITION, limit: 1 }).length > 0;
  return { changes, proposals, next: to, hasMore: false, isHeld };
}

/**
 * Returns the position of a start.
 *
 * @throws {AgentkeepError} `position_expired` where changes after it were removed, and for one that
 * this store has not reached yet, so that it is of another state than the one that was restored.
 */
export function positionAt(
  start: Start,
  floor: Uint8Array | undefined,
  horizon: Uint8Array,
): Uint8Array {
  if (start === 'latest') return horizon;
  if (start === 'oldest') return floor === undefined ? FIRST_POSITION : afterPosition(floor);
  const isRemoved = floor !== undefined && Buffer.compare(floor, start) >= 0;
  if (!isRemoved && Buffer.compare(start, horizon) <= 0) return start;
  const expected = 'a cursor after which all changes are kept';
  throw new AgentkeepError('position_expired', { members: [{ path: 'after', expected }] });
}

/** A change, and where a page after it starts. */
interface FoundChange extends VisibleChange {
  readonly after: Uint8Array;
}

/** What happened to a proposal, and where a page after it starts. */
interface FoundProposal extends VisibleProposal {
  readonly after: Uint8Array;
}

/** Some changes. */
interface FirstChanges {
  readonly changes: readonly FoundChange[];
  readonly proposals: readonly FoundProposal[];
  /** Where a page after the last of them starts; `undefined` for none. */
  readonly last: Uint8Array | undefined;
  /** Whether some were left out. */
  readonly isCut: boolean;
}

/** Returns the first changes of both kinds. */
export function firstOf(
  changes: readonly VisibleChange[],
  proposals: readonly VisibleProposal[],
  limit: number,
): FirstChanges {
  const all = [...changes, ...proposals].map(({ position }) => position);
  const end = all.sort((one, other) => Buffer.compare(one, other))[limit];
  const isFirst = ({ position }: Pick<VisibleChange, 'position'>): boolean =>
    end === undefined || Buffer.compare(position, end) < 0;
  const last = all.slice(0, limit).at(-1);
  return {
    changes: changes.filter(isFirst).map(withAfter),
    proposals: proposals.filter(isFirst).map(withAfter),
    last: last === undefined ? undefined : afterPosition(last),
    isCut: end !== undefined,
  };
}

function withAfter<C extends Pick<VisibleChange, 'position'>>(change: C) {
  return { ...change, after: afterPosition(change.position) };
}
