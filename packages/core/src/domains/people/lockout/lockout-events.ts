/** Audit events of logins and lockouts (docs/contract/audit.md). */
import { type EventSubject, requestMembers } from '../../../kernel/audit/call-events.js';
import type { AuditDraft, AuditMetadata, EventOrigin } from '../../../kernel/audit/audit.js';
import { timeText } from '../../../contract/schema/time.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { findTenant } from '../../tenancy/tenant/tenant-store.js';
import type { Lockout } from './lockout-policy.js';
import type { LockoutName } from './lockout-store.js';

/** The origin of a login. */
export type LoginOrigin = Omit<EventOrigin, 'path'>;

/** The origin of events that time causes. */
const UNKNOWN_ORIGIN: LoginOrigin = {
  ...{ ipAddress: null, userAgent: null },
  ...{ requestId: undefined, traceId: undefined },
};

/** Members of an event beside its type and its chain. */
export interface NameEvent extends EventSubject {
  /** UUID of version 7. */
  readonly id: string;
  /** In Unix milliseconds. */
  readonly atMillis: number;
  readonly noticedAtMillis?: number;
  /** The account, if the event may reveal that it exists. */
  readonly userId?: string;
  readonly origin?: LoginOrigin;
}

/**
 * Makes an event about a name. For a tenant that doesn't exist the event belongs to the
 * installation's chain; otherwise any caller could start chains by inventing tenants.
 */
export function nameEvent(tx: ReadTx, name: LockoutName, event: NameEvent): AuditDraft {
  const { origin = UNKNOWN_ORIGIN, userId = null, metadata, ...rest } = event;
  const { ipAddress, userAgent } = origin;
  const { tenantId, told } = chainOf(tx, name.authority);
  return {
    tenantId,
    userId,
    username: name.username,
    ipAddress,
    userAgent,
    ...rest,
    metadata: {
      ...metadata,
      ...told,
      ...requestMembers(origin),
    },
  };
}

function chainOf(tx: ReadTx, authority: string): { tenantId: string | null; told: AuditMetadata } {
  if (authority === INSTALLATION) return { tenantId: null, told: {} };
  const isTenant = findTenant(tx, authority) !== undefined;
  return isTenant
    ? { tenantId: authority, told: {} }
    : { tenantId: null, told: { tenant_id: authority } };
}

/** A login succeeded. */
export function loggedIn(method: 'jwt' | 'session', sessionId: string): EventSubject {
  return authentication('login', 'success', { method, session_id: sessionId });
}

/** A login or a check of one's own password failed. */
export function loginFailed({ failedAttempts }: Lockout): EventSubject {
  return authentication('login_failed', 'failure', { failed_attempts: failedAttempts });
}

/** A password was sent where passwords are turned off. */
export function passwordRefused(): EventSubject {
  return authentication('login_failed', 'forbidden', { reason: 'passwords_not_allowed' });
}

/** Failures locked a name. */
export function lockoutTriggered({ lockoutCount }: Lockout, expiresMs: number): EventSubject {
  return authentication('account_lockout_triggered', 'failure', {
    lockout_count: lockoutCount,
    lockout_expires: timeText(expiresMs),
  });
}

/** The reason that a lock ended. */
export type UnlockCause = 'manual' | 'expired' | 'password';

/** A name is no longer locked. */
export function accountUnlocked({ username }: LockoutName, cause: UnlockCause): EventSubject {
  return authentication('account_unlocked', 'success', { target_username: username, cause });
}

/** An administrator locked a name. */
export function accountLocked({ username }: LockoutName, reason: string | null): EventSubject {
  return authentication('account_locked', 'success', { target_username: username, reason });
}

function authentication(
  type: EventSubject['type'],
  result: EventSubject['result'],
  metadata: AuditMetadata,
): EventSubject {
  return { type, action: type, resource: 'authentication', result, metadata };
}
