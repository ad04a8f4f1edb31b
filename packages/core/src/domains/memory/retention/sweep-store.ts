/** Stores what sweeps have left to do. */
import { Port } from '../../../kernel/ports/port.js';
import { defineFamily, working } from '../../../storage/store/family.js';
import {
  fieldsLayout,
  json,
  number,
  orNull,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';

/** The stages of a sweep: superseded revisions, lineage, counts of reads, then records. */
export const SWEEP_STAGES = [
  ...(['revisions', 'sources', 'redacted_sources', 'traces', 'reads'] as const),
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

/** How far a sweep through the memory of the tenant has got. */
export const memorySweeps = defineFamily({
  name: 'memorySweeps',
  number: 78,
  key: [],
  layout: sweepLayout,
  sealedBy: null,
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Returns the last sweep of a tenant, or `undefined`. */
export function findSweep(tx: ReadTx, tenantId: string): SweepState | undefined {
  return memorySweeps.get(tx, tenantId);
}

/** Stores how far a sweep has got. */
export function putSweep(tx: WriteTx, tenantId: string, state: SweepState): void {
  memorySweeps.put(tx, state, tenantId);
}

/** Makes the next sweep begin anew, because other things are kept now. */
export function restartSweep(tx: WriteTx, tenantId: string): void {
  const last = findSweep(tx, tenantId);
  if (last !== undefined)
    putSweep(tx, tenantId, { ...last, startedAtMillis: -1, finishedAtMillis: 0 });
}

/** Removes memory that is no longer kept, in the background. */
export const sweepMemory = new Port<() => void>('sweepMemory');
