/** Removes what ended branches have stored, in the background and in small transactions. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../runtime/ports/clock.js';
import { Sweeper } from '../../runtime/services/sweeper.js';
import { INSTALLATION } from '../../storage/store/keyspace.js';
import type { Transactions, WriteTx } from '../../storage/store/store.js';
import { nextTenantWithData } from '../../storage/store/tenants-with-data.js';
import { removeNamespace } from '../../access/namespace-store.js';
import {
  branchesAfter,
  type KeyedBranch,
  nextBranchSpace,
  removeBranch,
  removeBranchSpace,
} from '../branch/branch-store.js';
import { isLive } from '../branch/live-branch.js';
import { removeSomeMerged } from '../branch/merge-store.js';
import { removeSomeEntries } from '../record/memory-store.js';
import { removeSomeRevisions } from '../revision/revision-store.js';

/** How often the branches of each tenant are looked at. */
const SWEEP_EVERY_MS = 60_000;
/** Branches that one read looks at. */
const LOOKED_AT_ONCE = 64;
/** Entries that one transaction removes. */
const REMOVED_AT_ONCE = 24;

/** Dependencies of the sweeper. */
export interface BranchSweeperParts {
  readonly store: Transactions;
  readonly clock: Clock;
}

/** Sweeps until it is stopped. Several servers may sweep one store. */
export class BranchSweeper extends Sweeper {
  readonly #parts: BranchSweeperParts;

  constructor(parts: BranchSweeperParts) {
    super();
    this.#parts = parts;
  }

  /** Starts sweeping every minute. */
  start(): void {
    this.repeat(SWEEP_EVERY_MS);
  }

  /** Removes all branches that have ended. */
  protected override async sweepAll(): Promise<void> {
    const { store } = this.#parts;
    let tenant: string | undefined;
    do {
      const after = tenant;
      tenant = await store.read((tx) => nextTenantWithData(tx, after));
      if (tenant !== undefined && tenant !== INSTALLATION) await this.#sweepOf(tenant);
      await setImmediate();
    } while (tenant !== undefined && !this.isStopped);
  }

  async #sweepOf(tenantId: string): Promise<void> {
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
  }

  async #remove(tenantId: string, branch: KeyedBranch): Promise<void> {
    for (let isDone = false; !isDone && !this.isStopped;) {
      isDone = await this.#parts.store.transact((tx) => removeSlice(tx, tenantId, branch));
      await setImmediate();
    }
  }
}

/** Removes some entries of a branch; returns whether nothing of it is left. */
function removeSlice(tx: WriteTx, tenantId: string, { id }: KeyedBranch): boolean {
  const digest = nextBranchSpace(tx, tenantId, id);
  if (digest === undefined) {
    if (removeSomeMerged(tx, tenantId, id, REMOVED_AT_ONCE) > 0) return false;
    removeBranch(tx, tenantId, id);
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
