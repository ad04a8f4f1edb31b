/** Decides how long memory is kept: old revisions, content of deleted records, expired records. */
import { RETENTION_DAYS_DEFAULT, REVISIONS_KEPT_DEFAULT } from '../../../contract/limits.js';

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

/** How long memory is kept. */
export interface Retention {
  /** Most superseded revisions of a record. */
  readonly revisionsMax: number;
  /** Days after it was superseded that a revision goes. */
  readonly revisionDays: number;
  /** Days that the content of a deleted record is kept. */
  readonly deletedDays: number;
  /** Lifetime of new records that state no end of their own; null for none. */
  readonly lifetimeSeconds: number | null;
  /** Days after its end that an expired record goes; null for never. */
  readonly expiredDays: number | null;
  /** Days, with today, that counts of reads are kept; 0 where reads are not counted. */
  readonly readDays: number;
}

/** A setting: null leaves a member as it is without the setting. */
export type RetentionSetting = { readonly [K in keyof Retention]: Retention[K] | null };

/** What holds where nothing is set. */
export const DEFAULT_RETENTION: Retention = {
  revisionsMax: REVISIONS_KEPT_DEFAULT,
  revisionDays: RETENTION_DAYS_DEFAULT,
  deletedDays: 0,
  lifetimeSeconds: null,
  expiredDays: null,
  readDays: 0,
};

/** Returns the retention of a tenant. */
export function tenantRetention(setting: RetentionSetting | undefined): Retention {
  if (setting === undefined) return DEFAULT_RETENTION;
  return {
    revisionsMax: setting.revisionsMax ?? DEFAULT_RETENTION.revisionsMax,
    revisionDays: setting.revisionDays ?? DEFAULT_RETENTION.revisionDays,
    deletedDays: setting.deletedDays ?? DEFAULT_RETENTION.deletedDays,
    lifetimeSeconds: setting.lifetimeSeconds,
    expiredDays: setting.expiredDays,
    readDays: setting.readDays ?? DEFAULT_RETENTION.readDays,
  };
}

/** Returns the retention of a scope: each bound is the narrower one of the tenant and the scope. */
export function narrowed(tenant: Retention, scope: RetentionSetting | undefined): Retention {
  if (scope === undefined) return tenant;
  return {
    revisionsMax: Math.min(tenant.revisionsMax, scope.revisionsMax ?? Infinity),
    revisionDays: Math.min(tenant.revisionDays, scope.revisionDays ?? Infinity),
    deletedDays: Math.min(tenant.deletedDays, scope.deletedDays ?? Infinity),
    lifetimeSeconds: lesser(tenant.lifetimeSeconds, scope.lifetimeSeconds),
    expiredDays: lesser(tenant.expiredDays, scope.expiredDays),
    readDays: Math.min(tenant.readDays, scope.readDays ?? Infinity),
  };
}

function lesser(one: number | null, other: number | null): number | null {
  return one === null ? other : Math.min(one, other ?? Infinity);
}

/** Returns whether the same is kept by two settings. */
export function isSameRetention(one: Retention, other: Retention): boolean {
  const names = Object.keys(one) as (keyof Retention)[];
  return one === other || names.every((name) => one[name] === other[name]);
}

/** The part of a superseded revision that its retention depends on. */
export interface Superseded {
  readonly revision: number;
  readonly supersededAtMillis: number;
}

/** The part of the current state of a record that the retention of its revisions depends on. */
export interface CurrentState {
  readonly revision: number;
  readonly modifiedAtMillis: number;
  /** Whether this is a tombstone. */
  readonly isDeleted: boolean;
  readonly keptUntilMillis: number | null;
}

/** The part of a record that its retention depends on. */
export type KeptRecord = Omit<CurrentState, 'isDeleted'> & {
  /** Null in a tombstone. */
  readonly payload: { readonly valid_until_millis: number | null } | null;
};

/** Returns the state of a record. */
export function stateOf(record: KeptRecord): CurrentState {
  const { revision, modifiedAtMillis, keptUntilMillis, payload } = record;
  return { revision, modifiedAtMillis, keptUntilMillis, isDeleted: payload === null };
}

/** Returns whether a superseded revision is kept. */
export function isRevisionKept(
  { revision, supersededAtMillis }: Superseded,
  current: CurrentState,
  retention: Retention,
  nowMs: number,
): boolean {
  // What a deletion superseded is kept as deleted content.
  if (current.isDeleted && revision === current.revision - 1) return true;
  const isAmongLast = current.revision - revision <= retention.revisionsMax;
  return isAmongLast && nowMs < revisionEnd(supersededAtMillis, retention);
}

/** Returns when a superseded revision goes because of its age. */
export function revisionEnd(supersededAtMillis: number, { revisionDays }: Retention): number {
  return supersededAtMillis + revisionDays * DAY_MS;
}

/** Returns since when every record that expired is still there; `undefined` where none goes. */
export function expiredSince({ expiredDays }: Retention, nowMs: number): number | undefined {
  return expiredDays === null ? undefined : nowMs - expiredDays * DAY_MS;
}

/** Returns whether the content of a record is there: it is current, or deleted and still kept. */
export function isContentKept(record: KeptRecord, retention: Retention, nowMs: number): boolean {
  if (record.payload !== null) return !isPurgeDue(record, retention, nowMs);
  return isDeletedKept(record, retention, nowMs);
}

/** Returns whether the content of a deleted record is still kept. */
export function isDeletedKept(
  { keptUntilMillis, modifiedAtMillis }: Omit<CurrentState, 'isDeleted'>,
  retention: Retention,
  nowMs: number,
): boolean {
  if (keptUntilMillis === null) return false;
  return nowMs < Math.min(keptUntilMillis, modifiedAtMillis + retention.deletedDays * DAY_MS);
}

/** Returns until when the content of a record that is deleted now is kept; null if it isn't. */
export function keptUntil({ deletedDays }: Retention, nowMs: number): number | null {
  return deletedDays === 0 ? null : nowMs + deletedDays * DAY_MS;
}

/** Returns whether a record expired so long ago that it is gone. */
export function isPurgeDue(
  { payload }: Pick<KeptRecord, 'payload'>,
  retention: Retention,
  nowMs: number,
): boolean {
  const end = payload?.valid_until_millis ?? null;
  return end !== null && isLongExpired(end, retention, nowMs);
}

/** Returns whether a record with this end expired so long ago that it is gone. */
export function isLongExpired(
  endMillis: number,
  { expiredDays }: Pick<Retention, 'expiredDays'>,
  nowMs: number,
): boolean {
  return expiredDays !== null && nowMs >= endMillis + expiredDays * DAY_MS;
}

/** Returns the end of a new record that states none itself; null for none. */
export function endOfNew({ lifetimeSeconds }: Retention, nowMs: number): number | null {
  return lifetimeSeconds === null ? null : nowMs + lifetimeSeconds * 1_000;
}
