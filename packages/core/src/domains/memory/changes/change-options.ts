/** Options of the change feed, with their defaults and bounds. */
import {
  CHANGES_RETENTION_DAYS_DEFAULT,
  CHANGES_RETENTION_DAYS_MAX,
} from '../../../contract/limits.js';

/** Options of the change feed. */
export interface ChangeFeedOptions {
  /** Days that changes can be read, at least. Default: 30. */
  readonly retentionDays?: number;
}

const DAY_MS = 86_400_000;

/**
 * Returns the milliseconds that changes are kept.
 * @throws {TypeError} when the number is out of range.
 */
export function changeRetentionMs({
  retentionDays = CHANGES_RETENTION_DAYS_DEFAULT,
}: ChangeFeedOptions): number {
  const isInRange = retentionDays >= 1 && retentionDays <= CHANGES_RETENTION_DAYS_MAX;
  if (Number.isSafeInteger(retentionDays) && isInRange) return retentionDays * DAY_MS;
  const range = `from 1 to ${CHANGES_RETENTION_DAYS_MAX}`;
  throw new TypeError(`changes.retentionDays must be an integer ${range}.`);
}
