/** The port through which reads of records are counted (docs/contract/history.md#his-41). */
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import { Port } from '../../../kernel/ports/port.js';

/** Counts reads. */
export interface CountsReads {
  /** Notes that a credential was given records. Takes no time that an answer waits for. */
  note(credential: ActingCredential, namespace: Namespace, recordIds: readonly string[]): void;
  /** Stores the counts of a tenant that wait. */
  flush(tenantId: string): Promise<void>;
}

/** Counts reads, where a tenant wants it. */
export const readCounter = new Port<CountsReads>('readCounter');
