/** Options of the audit log, with their defaults and bounds. */
import {
  AUDIT_EVENTS_DEFAULT,
  AUDIT_EVENTS_MAX,
  AUDIT_FILE_BYTES_DEFAULT,
  AUDIT_FILE_BYTES_MAX,
  AUDIT_FILE_BYTES_MIN,
  AUDIT_RETENTION_DAYS_DEFAULT,
  AUDIT_RETENTION_DAYS_MAX,
} from '../../contract/limits.js';

/** Options of the audit log. */
export interface AuditOptions {
  /** Whether events are recorded. If not, queries return an empty list. Default: true. */
  readonly enabled?: boolean;
  /** Events kept per authority in each quota; the oldest are removed first. Default: 100,000. */
  readonly maxEvents?: number;
  /** Days that events are kept. Default: 90. */
  readonly retentionDays?: number;
  /** Directory for JSON Lines files; created if missing. Default: no files. */
  readonly logPath?: string;
  /** Size in bytes at which a new file begins. Default: 10 MiB. */
  readonly maxFileSize?: number;
  /** Whether to record permission checks that reads passed. Default: false. */
  readonly reads?: boolean;
}

/** Settings with all defaults filled in. */
export interface AuditSettings {
  readonly enabled: boolean;
  readonly maxEvents: number;
  readonly retentionMs: number;
  readonly logPath: string | undefined;
  readonly maxFileBytes: number;
  readonly reads: boolean;
}

const DAY_MS = 86_400_000;

/**
 * Fills in the defaults.
 * @throws {TypeError} when a number is out of range.
 */
export function auditSettings(options: AuditOptions): AuditSettings {
  const {
    enabled = true,
    maxEvents = AUDIT_EVENTS_DEFAULT,
    retentionDays = AUDIT_RETENTION_DAYS_DEFAULT,
    logPath,
    maxFileSize = AUDIT_FILE_BYTES_DEFAULT,
    reads = false,
  } = options;
  requireWithin('maxEvents', maxEvents, [1, AUDIT_EVENTS_MAX]);
  requireWithin('retentionDays', retentionDays, [1, AUDIT_RETENTION_DAYS_MAX]);
  requireWithin('maxFileSize', maxFileSize, [AUDIT_FILE_BYTES_MIN, AUDIT_FILE_BYTES_MAX]);
  return {
    enabled,
    maxEvents,
    retentionMs: retentionDays * DAY_MS,
    logPath,
    maxFileBytes: maxFileSize,
    reads,
  };
}

function requireWithin(name: string, value: number, [min, max]: [number, number]): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return;
  throw new TypeError(`audit.${name} must be an integer from ${min} to ${max}.`);
}
