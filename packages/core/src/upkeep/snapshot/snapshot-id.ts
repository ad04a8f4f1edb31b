/** Ids of snapshots: their start in UTC, to the millisecond. */

const SNAPSHOT_ID = /^\d{8}-\d{6}-\d{3}$/;

/** Returns the id for a time in Unix milliseconds, for example `20260101-000000-000`. */
export function snapshotIdAt(ms: number): string {
  const digits = new Date(ms).toISOString().replaceAll(/\D/g, '');
  return `${digits.slice(0, 8)}-${digits.slice(8, 14)}-${digits.slice(14)}`;
}

/** Whether a name has the form of an id. */
export function isSnapshotId(name: string): boolean {
  return SNAPSHOT_ID.test(name);
}

/** Returns the time of an id, as an ISO 8601 text. */
export function timeOfSnapshotId(id: string): string {
  const [date = '', time = '', millis = ''] = id.split('-');
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
  return `${day}T${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4)}.${millis}Z`;
}
