/** The lengths of all queues of a keep, for operators' gauges. */
import type { CountedHasher } from '../ports/counted-hasher.js';
import type { Runtime } from './runtime.js';
import type { UseLog } from './use-log.js';

/**
 * Work that waits inside this process now. Each number is bounded. In an idle keep all are 0, as
 * long as the store accepts writes.
 */
export interface WaitingWork {
  /**
   * Reads and writes that the store has accepted and not answered yet. The stores of Agentkeep
   * refuse more while 65,536 wait, with `store_unavailable`.
   */
  readonly transactions: number;
  /**
   * Audit events that are noted and not stored yet. At most 65,536 (`AUDIT_WAITING_MAX`); further
   * ones are dropped. Events of changes are stored with them and never wait. Counts of repeats are
   * not among them.
   */
  readonly auditEvents: number;
  /**
   * Audit events that are stored and not written to a file yet; 0 where no files are written. At
   * most 65,536 (`AUDIT_LINES_WAITING_MAX`) wait for the disk, and further ones are left out of the
   * files; some thousands more may wait for an earlier event of their chain.
   */
  readonly auditLines: number;
  /**
   * Times of use of keys and sessions that are not stored yet. At most 16,384 (`USES_WAITING_MAX`);
   * further ones are dropped.
   */
  readonly uses: number;
  /**
   * Passwords that are being hashed or wait for it. The hasher of Agentkeep works at 2
   * (`PASSWORD_WORKERS_MAX`) while 100 wait (`PASSWORD_WAITING_MAX`), and refuses further ones with
   * `login_busy`.
   */
  readonly passwords: number;
  /**
   * Scans and pages that wait for a slot or for their turn. At most 1,024 are in flight
   * (`HEAVY_CALLS_MAX`); further ones are refused with `service_busy`.
   */
  readonly heavyCalls: number;
  /**
   * Records whose texts wait for an embedding that the keep makes; 0 where it makes none. Of each
   * tenant at most 128 are counted. They wait in the store, so their number has no other bound.
   */
  readonly embeddings: number;
}

/** What has queues. */
export interface QueueParts extends Pick<Runtime, 'backend' | 'audit' | 'heavyWork'> {
  readonly uses: Pick<UseLog, 'waiting'>;
  readonly passwords: Pick<CountedHasher, 'waiting'>;
  readonly meaning: { readonly waiting: number } | null;
}

/** Counts the waiting work in the queues of a keep. */
export async function waitingWork({
  backend,
  audit,
  uses,
  passwords,
  heavyWork,
  meaning,
}: QueueParts): Promise<WaitingWork> {
  return {
    transactions: await backend.waiting(),
    auditEvents: audit.waitingEvents,
    auditLines: audit.waitingLines,
    uses: uses.waiting,
    passwords: passwords.waiting,
    heavyCalls: heavyWork.waiting,
    embeddings: meaning?.waiting ?? 0,
  };
}
