/** The port through which everything that happens reaches the audit log. */
import type { AuditEventType, AuditResult } from './event-type.js';
import type { JsonValue } from '../../contract/schema/json-value.js';
import type { WriteTx } from '../../storage/store/store.js';

/** What an event tells beside its fixed members; never a secret. */
export type AuditMetadata = Readonly<Record<string, JsonValue>>;

/** What happened, before it has a place in a chain. */
export interface AuditDraft {
  /** UUID of version 7. */
  readonly id: string;
  readonly type: AuditEventType;
  /** When it happened, in Unix milliseconds. */
  readonly atMillis: number;
  /** When it was noticed, in Unix milliseconds, where that can be later than it happened. */
  readonly noticedAtMillis?: number;
  /** The authority whose chain it belongs to; null is the installation. */
  readonly tenantId: string | null;
  readonly userId: string | null;
  readonly username: string | null;
  readonly action: string;
  readonly resource: string;
  readonly result: AuditResult;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly metadata: AuditMetadata;
}

/** Where a call comes from, as far as its transport knows. */
export interface CallOrigin {
  /** What was called: the path over HTTP. */
  readonly path: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  /** The part of the API that the path is counted under. */
  readonly endpointType: JsonValue;
}

/** Where a call comes from, as events tell it. */
export type EventOrigin = Pick<CallOrigin, 'path' | 'ipAddress' | 'userAgent'> & {
  readonly requestId: string | undefined;
};

/** Takes events in. */
export interface AuditPort {
  /** Whether anything is recorded. */
  readonly isEnabled: boolean;
  /** Whether passed permission checks of reads are events too. */
  readonly recordsReads: boolean;
  /** Most events that are kept of an authority. */
  readonly maxEvents: number;
  /** Events that were noted and are not stored yet. */
  readonly waitingEvents: number;
  /** Events that are stored and not written to a file yet; 0 where no files are written. */
  readonly waitingLines: number;
  /** When the oldest event that is kept at a time was recorded at the earliest. */
  keptFrom(nowMs: number): number;
  /** Stores an event with the change that it records: both commit, or neither does. */
  changed(tx: WriteTx, draft: AuditDraft): void;
  /** Notes an event that belongs to no change; it is stored within a second. */
  observed(draft: AuditDraft): void;
  /** Stores what was noted so far. */
  flush(): Promise<void>;
  /** Stores what was noted so far and ends the log. */
  close(): Promise<void>;
}
