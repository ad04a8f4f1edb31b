/** How far the sweep through the memory of each tenant has got, so that it goes on after a stop. */
import { json, number, orNull, text } from '../../storage/store/fields.js';
import { keyspace } from '../../storage/store/keyspace.js';
import { fieldsLayout, type ValueOf } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { Subspace } from '../../storage/store/subspace.js';

/** The stages of a sweep: superseded revisions, what is kept of lineage, then records. */
export const SWEEP_STAGES = [
  ...(['revisions', 'sources', 'redacted_sources', 'traces'] as const),
  'records',
] as const;

const sweepLayout = fieldsLayout(1, {
  startedAtMillis: number,
  /** Null while the sweep is under way. */
  finishedAtMillis: orNull(number),
  /** What is walked through, in the order of {@link SWEEP_STAGES}. */
  stage: json<(typeof SWEEP_STAGES)[number]>(),
  /** The key from which the walk goes on, in hexadecimal; null at the start of a stage. */
  from: orNull(text),
  /** Revisions and records that were removed and are in no event yet. */
  revisions: number,
  records: number,
});

/** A sweep through the memory of a tenant. */
export type SweepState = ValueOf<typeof sweepLayout>;

const sweeps = new Subspace(keyspace.memorySweeps, sweepLayout);

/** The subspace of sweeps, by its name in the key space. */
export const sweepSubspaces = { memorySweeps: sweeps };

/** Returns the last sweep of a tenant, or `undefined`. */
export function findSweep(tx: ReadTx, tenantId: string): SweepState | undefined {
  return sweeps.get(tx, tenantId);
}

/** Stores how far a sweep has got. */
export function putSweep(tx: WriteTx, tenantId: string, state: SweepState): void {
  sweeps.put(tx, state, tenantId);
}

/** Makes the next sweep begin anew, because other things are kept now. */
export function restartSweep(tx: WriteTx, tenantId: string): void {
  const last = findSweep(tx, tenantId);
  if (last !== undefined)
    putSweep(tx, tenantId, { ...last, startedAtMillis: -1, finishedAtMillis: 0 });
}
