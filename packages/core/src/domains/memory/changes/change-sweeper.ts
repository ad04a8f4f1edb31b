/** Removes changes that are no longer kept, in the background and in small transactions. */
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../../kernel/ports/clock.js';
import { TenantSweeper } from '../../../kernel/services/sweeper.js';
import { FIRST_POSITION } from '../../../storage/store/position.js';
import type { ReadTx, Transactions } from '../../../storage/store/store.js';
import { STORED_BRANCHES_MAX } from '../branch/branch-policy.js';
import { branchesAfter } from '../branch/branch-store.js';
import { PROPOSALS_MAX } from '../branch/proposal-policy.js';
import { findProposal, proposalsAfter } from '../branch/proposal-store.js';
import { isLive } from '../branch/live-branch.js';
import { changesBetween, removeChanges } from '../journal/change-store.js';

/** How often the changes of each tenant are looked at. */
const SWEEP_EVERY_MS = 600_000;

/** Changes of one transaction: so few that a store which locks each of them need not lock more. */
const SLICE_CHANGES = 128;

/** Dependencies of the sweeper. */
export interface ChangeSweeperParts {
  readonly store: Transactions;
  readonly clock: Clock;
  /** Returns how long the changes of a tenant are kept, in milliseconds. */
  readonly retentionOf: (tx: ReadTx, tenantId: string) => number;
}

/** Sweeps until it is stopped. */
export class ChangeSweeper extends TenantSweeper {
  readonly #parts: ChangeSweeperParts;

  constructor(parts: ChangeSweeperParts) {
    super(parts.store);
    this.#parts = parts;
  }

  /** Starts sweeping every 10 minutes. */
  start(): void {
    this.repeat(SWEEP_EVERY_MS);
  }

  /** Removes from the oldest on, up to the first that is kept, so that no gap is left. */
  protected override async sweepOf(tenantId: string): Promise<void> {
    const { store, clock, retentionOf } = this.#parts;
    const nowMs = clock.now();
    const beforeMs = nowMs - (await store.read((tx) => retentionOf(tx, tenantId)));
    let removed: number;
    do {
      const oldest = await store.read((tx) => {
        const to = Uint8Array.from(tx.horizon());
        const held = heldPosition(tx, tenantId, nowMs);
        const end = held !== undefined && Buffer.compare(held, to) < 0 ? held : to;
        return changesBetween(tx, tenantId, {
          from: FIRST_POSITION,
          to: end,
          limit: SLICE_CHANGES,
        });
      });
      const kept = oldest.findIndex(({ committedAtMillis }) => committedAtMillis >= beforeMs);
      const old = oldest.slice(0, kept === -1 ? undefined : kept);
      removed = old.length;
      if (removed > 0) {
        const positions = old.map(({ position }) => position);
        await store.transact((tx) => {
          removeChanges(tx, tenantId, positions);
        });
      }
      await setImmediate();
    } while (removed === SLICE_CHANGES && !this.isStopped);
  }
}

/** Returns the position of the first live branch or proposal: it follows all changes from there. */
function heldPosition(tx: ReadTx, tenantId: string, nowMs: number): Uint8Array | undefined {
  const branches = branchesAfter(tx, tenantId, undefined, STORED_BRANCHES_MAX);
  const waiting = proposalsAfter(tx, tenantId, 'proposed', { limit: 2 * PROPOSALS_MAX });
  const proposals = waiting.flatMap((id) => findProposal(tx, tenantId, id) ?? []);
  const live = [...branches, ...proposals].filter((branch) => isLive(branch, nowMs));
  const [first] = live.map(({ position }) => position).sort();
  return first === undefined ? undefined : Buffer.from(first, 'hex');
}
