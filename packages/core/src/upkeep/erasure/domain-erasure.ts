/** The part of a domain in erasures: its steps, and what goes with what. */
import type { Namespace } from '../../kernel/access/namespace.js';
import type { Transactions, ReadTx, WriteTx } from '../../storage/store/store.js';
import type { StoredTarget } from '../stored/target.js';
import type { GoingKey, Slice, Step, VisitedEntry } from './slice.js';

/**
 * When a step runs. In the order of this list, and within a phase in the order of the domains:
 *
 * - `proofs`: what proves a caller for the target ends, so that nothing more is written for it.
 * - `names`: further names of the target are collected from what is about to go.
 * - `proposals`: what waits for others is withdrawn, before the scopes are marked.
 * - `scopes`: what keys don't tell apart by their scope. All families of scopes are gone by then.
 * - `own`: what else is kept of the subject.
 * - `accounts`: what the accounts that acted for the subject leave in families of others. All
 *   families of accounts go behind it.
 * - `credentials`: what belongs to credentials of the subject. All families of subjects go next.
 */
export const erasurePhases = [
  'proofs',
  'names',
  'proposals',
  'scopes',
  'own',
  'accounts',
  'credentials',
] as const;

/** When a step runs. */
export type ErasurePhase = (typeof erasurePhases)[number];

/** The steps of a domain that run in each phase. */
export type PhasedSteps = Partial<Record<ErasurePhase, readonly Step[]>>;

/** The part of a domain in erasures. */
export interface DomainErasure {
  /** The steps of an erasure of a scope, which one of a subject does for its private scopes too. */
  readonly scope?: PhasedSteps;
  /** The further steps of an erasure of a subject. */
  readonly subject?: PhasedSteps;
  /** How to tell the accounts that acted for the subject. The family that tells goes last. */
  readonly accounts?: {
    readonly family: string;
    readonly isErased: (slice: Slice, accountId: string) => boolean;
  };
  /** The steps of an erasure of a tenant, before everything else under its id. */
  readonly tenant?: readonly Step[];
  /** Families that prove callers: of a tenant they go first. */
  readonly provesCallers?: readonly string[];
  /**
   * By family, the keys of the entries that go with one of its own in the same transaction. Their
   * families state `oneFor` it.
   */
  readonly goingWith?: Readonly<
    Record<string, (tenantId: string, entry: VisitedEntry) => readonly GoingKey[]>
  >;
  /** By family, what else happens as one of its entries goes without its whole tenant. */
  readonly removing?: Readonly<Record<string, (slice: Slice, key: Uint8Array) => void>>;
  /** Whether a namespace goes with the target, beside those that its parts tell. */
  readonly includes?: (
    tx: ReadTx,
    namespace: Pick<Namespace, 'tenantId' | 'parts'>,
    target: StoredTarget,
  ) => boolean;
  /** Takes a tenant from the directory, at the commit that asks for its erasure. */
  readonly removeTenant?: (tx: WriteTx, tenantId: string) => void;
  /** Yields the subjects that values of a tenant name, beside those in keys. */
  readonly subjectsIn?: (store: Transactions, tenantId: string) => AsyncIterable<string>;
}
