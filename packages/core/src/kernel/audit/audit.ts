/** The port of the audit log. */
import type { AuditEventType, AuditResult } from './event-type.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { WriteTx } from '../../storage/store/store.js';

/** Members of an event beside the fixed ones; never a secret. */
export type AuditMetadata = Readonly<Record<string, JsonValue>>;

/** An event that no chain contains yet. */
export interface AuditDraft {
  /** UUID of version 7. */
  readonly id: string;
  readonly type: AuditEventType;
  /** When it happened, in Unix milliseconds. */
  readonly atMillis: number;
  /** When it was noticed, in Unix milliseconds, if that can be later than it happened. */
  readonly noticedAtMillis?: number;
  /** The authority whose chain it belongs to; null for the installation. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly username: string | null;
  readonly action: string;
  readonly resource: string;
  readonly result: AuditResult;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly metadata: AuditMetadata;
  /** Whether it shows a proof, a read or a refused write, which changed nothing. Default: false. */
  readonly isRoutine?: boolean;
}

/** The origin of a call, as far as its transport knows it. */
export interface CallOrigin {
  /** The target of the call: the path over HTTP. */
  readonly path: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** The part of the API that the path is counted under. */
  readonly endpointType: JsonValue;
}

/** The origin of a call as events show it. */
export type EventOrigin = Pick<CallOrigin, 'path' | 'ipAddress' | 'userAgent'> & {
  readonly requestId: string | undefined;
  readonly traceId: string | undefined;
};

/** Receives events. */
export interface AuditPort {
  /** Whether anything is recorded. */
  readonly isEnabled: boolean;
  /** Whether passed permission checks of reads are events too. */
  readonly recordsReads: boolean;
  /** Most events that are kept for an authority in each quota. */
  readonly maxEvents: number;
  /** Events that were noted and are not stored yet, without the counts of repeats. */
  readonly waitingEvents: number;
  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  readonly waitingLines: number;
  /** Returns the earliest recording time of events that are still kept at a time. */
  keptFrom(nowMs: number): number;
  /**
   * Stores an event with the change that it records: both commit, or neither does. The transaction
   * must be one of the store that was opened with the log.
   */
  changed(tx: WriteTx, draft: AuditDraft): void;
  /**
   * Notes an event that belongs to no change; it is stored within a second. Repeats of a refusal or
   * a routine read in one minute are stored as one event with their count.
   */
  observed(draft: AuditDraft): void;
  /** Stores the noted events of an authority, or all, and the counts of repeats so far. */
  flush(authority?: string): Promise<void>;
  /** Stores all noted events and closes the log. */
  close(): Promise<void>;
}
