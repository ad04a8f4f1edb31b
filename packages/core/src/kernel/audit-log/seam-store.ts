/**
 * The seam of an audit log: where the links of blocks that were rewritten end, and those of the
 * blocks behind them still follow the links from before.
 */
import { defineFamily, working } from '../../storage/store/family.js';
import { jsonLayout } from '../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import type { AuditQuota } from './quota-policy.js';

/** Where the rewritten part of a chain ends. */
export interface SeamEnd {
  /** Number of the next event in the chain. */
  readonly next: number;
  /** Link of the last event that was rewritten. */
  readonly link: string;
}

/** How far a log is rewritten. */
export interface AuditSeam {
  /** The erasure that does it. */
  readonly erasureId: string;
  /** Sequence number of the next block. */
  readonly at: number;
  /** The chains that have changed so far. */
  readonly chains: Readonly<Partial<Record<AuditQuota, SeamEnd>>>;
}

/** How far names in the audit log of a tenant were replaced, while an erasure does it. */
export const auditSeams = defineFamily({
  name: 'auditSeams',
  number: 112,
  key: [],
  layout: jsonLayout<AuditSeam>(1),
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'working' },
  erased: 'kept',
  counts: null,
  derived: working,
});

/** Returns the seam of a log, or `undefined` if nothing rewrites it. */
export function findSeam(tx: ReadTx, authority: string): AuditSeam | undefined {
  return auditSeams.get(tx, authority);
}

/** Stores how far a log is rewritten. */
export function putSeam(tx: WriteTx, authority: string, seam: AuditSeam): void {
  auditSeams.put(tx, seam, authority);
}

/** Ends the rewriting of a log. */
export function removeSeam(tx: WriteTx, authority: string): void {
  tx.remove(auditSeams.keyOf(authority));
}
