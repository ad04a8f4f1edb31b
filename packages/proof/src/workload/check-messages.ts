/**
 * What is said between a proof and the program that opens directories for it.
 * @module
 */
import type { AuditFilesLeft } from './audit-lines.js';
import type { AccountsByKind } from './checks.js';
import type { Secrets } from './parties.js';

/** A directory to open and to compare with what was acknowledged. */
export interface CheckTask {
  readonly dataDir: string;
  /** Absent if none are written. */
  readonly auditFiles?: AuditFilesLeft;
  /** Absent as long as nothing was acknowledged to anybody. */
  readonly expected?: { readonly secrets: Secrets; readonly accounts: AccountsByKind };
}

/** What came of it. */
export type CheckResult =
  /** It was opened; a sentence for each promise that did not hold. */
  | { readonly type: 'opened'; readonly violations: readonly string[] }
  /** It was not opened, for this reason. */
  | { readonly type: 'refused'; readonly code: string; readonly reason: string };
