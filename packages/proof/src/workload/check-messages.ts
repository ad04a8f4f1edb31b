/**
 * Messages between a proof and the program that opens directories for it.
 */
import type { AuditFilesLeft } from './audit-lines.js';
import type { AccountsByKind } from './checks.js';
import type { Secrets } from './parties.js';

/** A directory to open and compare with the acknowledged work. */
export interface CheckTask {
  readonly dataDir: string;
  /** Absent if no audit files are written. */
  readonly auditFiles?: AuditFilesLeft;
  /** Absent while nothing was acknowledged. */
  readonly expected?: { readonly secrets: Secrets; readonly accounts: AccountsByKind };
}

/** Result of a check. */
export type CheckResult =
  /** The directory was opened; a sentence for each broken promise. */
  | { readonly type: 'opened'; readonly violations: readonly string[] }
  /** The directory was not opened. */
  | { readonly type: 'refused'; readonly code: string; readonly reason: string };
