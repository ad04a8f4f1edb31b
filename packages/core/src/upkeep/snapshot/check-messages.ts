/** Messages to and from the process that checks a store. */
import type { ErrorCode } from '../../contract/errors/catalogue.js';
import type { ContentReport } from './content-tally.js';
import type { ErasuresInStore } from '../erasure/ledger.js';
import type { Progress } from './progress.js';
import type { FileDigest, SnapshotFileName } from './snapshot-files.js';

/** The work of the process, as its one argument in JSON. */
export interface CheckTask {
  readonly directory: string;
  /**
   * `check` digests files and reads every entry. `hold` keeps others from opening the store until
   * the process gets the message to end, and `list` only says what was erased.
   */
  readonly kind: 'check' | 'hold' | 'list';
  /** Files to digest before anything is opened. */
  readonly files: readonly SnapshotFileName[];
  /** Whether a check also verifies the audit chains. */
  readonly verifiesAudit: boolean;
}

/** The result of a check. */
export interface CheckReport {
  readonly files: readonly FileDigest[];
  readonly content: ContentReport;
}

/** A message of the process. */
export type CheckMessage =
  | { readonly type: 'progress'; readonly progress: Progress }
  | { readonly type: 'report'; readonly report: CheckReport }
  | { readonly type: 'open'; readonly finished: ErasuresInStore }
  | { readonly type: 'failed'; readonly code: ErrorCode; readonly detail: string };
