/** Removes what ended branches have stored, in the background and in small transactions. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../kernel/ports/clock.js';
import { TenantSweeper } from '../../../kernel/services/sweeper.js';
import type { ReadTx, Transactions, WriteTx } from '../../../storage/store/store.js';
import { removeNamespace } from '../../../kernel/access/namespace.js';
import {
  branchesAfter,
  endedAfter,
  type EndedBranch,
  forgetEnded,
  type KeyedBranch,
  nextBranchSpace,
  removeBranch,
  removeBranchSpace,
} from '../branch/branch-store.js';
import { ENDED_BRANCHES_MAX } from '../branch/branch-policy.js';
import { isLive } from '../branch/live-branch.js';
import { removeSomeMerged } from '../branch/merge-store.js';
import { DECISION_KEPT_MS } from '../branch/proposal-policy.js';
import {
  findProposal,
  type KeyedProposal,
  noteLeft,
  orderedAt,
  proposalsAfter,
  type ProposalPlace,
  removeProposal,
} from '../branch/proposal-store.js';
import { removeSomeEntries } from '../record/memory-store.js';
import { removeSomeRevisions } from '../revision/revision-store.js';

/** How often the branches of each tenant are looked at. */
const SWEEP_EVERY_MS = 60_000;
/** Branches that one read looks at. */
const LOOKED_AT_ONCE = 64;
/** Branches that ended before their time that are read, or forgotten, at once. */
const ENDED_AT_ONCE = 256;
/** Entries that one transaction removes. */
const REMOVED_AT_ONCE = 24;

/** Dependencies of the sweeper. */
export interface BranchSweeperParts {
  readonly store: Transactions;
  readonly clock: Clock;
}

/** Sweeps until it is stopped. Several servers may sweep one store. */
export class BranchSweeper extends TenantSweeper {
  readonly #parts: BranchSweeperParts;

  constructor(parts: BranchSweeperParts) {
    super(parts.store);
    this.#parts = parts;
  }

  /** Starts sweeping every minute. */
  start(): void {
    this.repeat(SWEEP_EVERY_MS);
  }

  /** Removes all branches and proposals of a tenant that have ended. */
  protected override async sweepOf(tenantId: string): Promise<void> {
    const { store, clock } = this.#parts;
    let after: string | undefined;
    do {
      const from = after;
      const looked = await store.read((tx) => branchesAfter(tx, tenantId, from, LOOKED_AT_ONCE));
      for (const branch of looked) {
        if (!isLive(branch, clock.now())) await this.#remove(tenantId, branch);
      }
      after = looked.length < LOOKED_AT_ONCE ? undefined : looked.at(-1)?.id;
    } while (after !== undefined && !this.isStopped);
    await this.#sweepProposalsOf(tenantId);
    await this.#sweepEndedOf(tenantId);
  }

  /** Removes proposals that ended undecided, records of decided ones, and old decisions. */
  async #sweepProposalsOf(tenantId: string): Promise<void> {
    const { store, clock } = this.#parts;
    for (let after: ProposalPlace | undefined, isLast = false; !isLast && !this.isStopped;) {
      const from = after;
      const { found, leaving } = await store.read((tx) => waitingAfter(tx, tenantId, from));
      for (const proposal of found) {
        if (!isLive(proposal, clock.now())) await this.#remove(tenantId, proposal);
      }
      for (const id of leaving) await this.#remove(tenantId, { id });
      const last = found.at(-1);
      after = last && { atMillis: orderedAt(last), id: last.id };
      isLast = found.length < LOOKED_AT_ONCE && leaving.length < LOOKED_AT_ONCE;
    }
    const beforeMs = clock.now() - DECISION_KEPT_MS;
    for (let isDone = false; !isDone && !this.isStopped;) {
      isDone = await store.transact((tx) => removeDecided(tx, tenantId, beforeMs));
      await setImmediate();
    }
  }

  /** Forgets branches that would have ended by now, and of too many those that end first. */
  async #sweepEndedOf(tenantId: string): Promise<void> {
    const { store, clock } = this.#parts;
    const ended: EndedBranch[] = [];
    for (let isLast = false; !isLast;) {
      const after = ended.at(-1)?.id;
      const found = await store.read((tx) => endedAfter(tx, tenantId, after, ENDED_AT_ONCE));
      ended.push(...found);
      isLast = found.length < ENDED_AT_ONCE;
    }
    const nowMs = clock.now();
    const latest = ended.toSorted((one, other) => other.untilMillis - one.untilMillis);
    const isForgotten = ({ untilMillis }: EndedBranch, at: number): boolean =>
      untilMillis <= nowMs || at >= ENDED_BRANCHES_MAX;
    const ids = latest.filter(isForgotten).map(({ id }) => id);
    for (let from = 0; from < ids.length && !this.isStopped; from += ENDED_AT_ONCE) {
      const some = ids.slice(from, from + ENDED_AT_ONCE);
      await store.transact((tx) => {
        forgetEnded(tx, tenantId, some);
      });
      await setImmediate();
    }
  }

  async #remove(tenantId: string, branch: Pick<KeyedBranch, 'id'>): Promise<void> {
    for (let isDone = false; !isDone && !this.isStopped;) {
      isDone = await this.#parts.store.transact((tx) => removeSlice(tx, tenantId, branch));
      await setImmediate();
    }
  }
}

interface Ending {
  readonly found: readonly KeyedProposal[];
  /** Ids of decided proposals that still have records. */
  readonly leaving: readonly string[];
}

function waitingAfter(tx: ReadTx, tenantId: string, after: ProposalPlace | undefined): Ending {
  const limit = LOOKED_AT_ONCE;
  const waiting = proposalsAfter(tx, tenantId, 'proposed', { after, limit });
  return {
    found: waiting.flatMap((id) => findProposal(tx, tenantId, id) ?? []),
    leaving: proposalsAfter(tx, tenantId, 'leaving', { limit }),
  };
}

/** Removes old decisions, with the merges of each; returns whether none is left. */
function removeDecided(tx: WriteTx, tenantId: string, beforeMs: number): boolean {
  for (const state of ['merged', 'rejected'] as const) {
    const [id] = proposalsAfter(tx, tenantId, state, { limit: 1 });
    const found = id === undefined ? undefined : findProposal(tx, tenantId, id);
    if (found === undefined || orderedAt(found) >= beforeMs) continue;
    if (removeSomeMerged(tx, tenantId, found.id, REMOVED_AT_ONCE) === 0) {
      removeProposal(tx, tenantId, found);
    }
    return false;
  }
  return true;
}

/**
 * Removes some entries of a branch; returns whether nothing of it is left, but what was decided of
 * a proposal.
 */
function removeSlice(tx: WriteTx, tenantId: string, { id }: Pick<KeyedBranch, 'id'>): boolean {
  const digest = nextBranchSpace(tx, tenantId, id);
  if (digest === undefined) {
    const proposal = findProposal(tx, tenantId, id);
    if (proposal !== undefined && proposal.state !== 'proposed') {
      noteLeft(tx, tenantId, id);
      return true;
    }
    if (removeSomeMerged(tx, tenantId, id, REMOVED_AT_ONCE) > 0) return false;
    if (proposal === undefined) removeBranch(tx, tenantId, id);
    else removeProposal(tx, tenantId, proposal);
    return true;
  }
  const space = { tenantId, digest };
  const removed = removeSomeEntries(tx, space, REMOVED_AT_ONCE);
  const left = REMOVED_AT_ONCE - removed;
  if (left > 0 && removeSomeRevisions(tx, space, left) < left) {
    removeBranchSpace(tx, tenantId, id, digest);
    removeNamespace(tx, space);
  }
  return false;
}
