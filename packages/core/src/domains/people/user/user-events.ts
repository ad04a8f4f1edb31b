/** Audit events of account changes (docs/contract/audit.md#aud-41). */
import { haveSameRoles } from './change-account.js';
import type { StoredAccount } from '../account/stored-account.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import type { AuditMetadata } from '../../../kernel/audit/audit.js';
import { escapedTextUpTo } from '../../../contract/schema/escaped-text.js';

/** Longest recorded name of a refused request for an account, in characters. */
const ATTEMPTED_NAME_CHARS_MAX = 256;

/** An account before and after a change. */
export interface ChangedAccount {
  readonly before: StoredAccount;
  readonly after: StoredAccount;
  /**
   * Absent when the password was not changed; `isOwn` states whether the account itself replaced
   * it.
   */
  readonly newPassword?: { readonly isOwn: boolean } | undefined;
}

/** Returns the events of a change: one for members and password, up to two for roles. */
export function changeEvents(change: ChangedAccount): EventSubject[] {
  const { before, after, newPassword } = change;
  const touched: AuditMetadata = {
    ...(before.email === after.email ? {} : { email_changed: true }),
    ...(before.isActive === after.isActive ? {} : { is_active: after.isActive }),
    ...(before.credentialId === after.credentialId ? {} : { credential_id: after.credentialId }),
    ...(before.links === after.links ? {} : { links_changed: true }),
  };
  const events = roleEvents(change);
  if (newPassword !== undefined) {
    const metadata = { password_changed: true, self: newPassword.isOwn, ...touched };
    return [userEvent('user_password_changed', before, metadata), ...events];
  }
  const isUpdated = Object.keys(touched).length > 0;
  return isUpdated ? [userEvent('user_updated', before, touched), ...events] : events;
}

/** Returns the event of an account that was disabled for good. */
export function userDisabled(account: StoredAccount): EventSubject {
  return userEvent('user_updated', account, { disabled: true });
}

/** Returns the event of a deleted account. */
export function userDeleted(account: StoredAccount): EventSubject {
  return userEvent('user_deleted', account, { deleted_username: account.username });
}

/**
 * Returns the username of a refused document, escaped and cut; null if the document has no text
 * there.
 */
export function attemptedName(document: unknown): string | null {
  if (typeof document !== 'object' || document === null || !('username' in document)) return null;
  const { username } = document;
  return typeof username === 'string' ? escapedTextUpTo(username, ATTEMPTED_NAME_CHARS_MAX) : null;
}

/** Returns the event of a refused request for an account. */
export function creationRefused(attemptedUsername: string | null, code: string): EventSubject {
  return {
    type: 'user_created',
    action: 'user_created',
    resource: 'user:unknown',
    result: 'failure',
    metadata: { attempted_username: attemptedUsername, error: code },
  };
}

function roleEvents({ before, after }: ChangedAccount): EventSubject[] {
  if (haveSameRoles(before, after)) return [];
  const metadata = {
    target_username: before.username,
    old_roles: [...before.roles],
    new_roles: [...after.roles],
  };
  const isAdded = after.roles.some((role) => !before.roles.includes(role));
  const isRemoved = before.roles.some((role) => !after.roles.includes(role));
  return [
    ...(isAdded ? [userEvent('role_assigned', before, metadata)] : []),
    ...(isRemoved ? [userEvent('role_removed', before, metadata)] : []),
  ];
}

function userEvent(
  type: EventSubject['type'],
  { id }: StoredAccount,
  metadata: AuditMetadata,
): EventSubject {
  return { type, action: type, resource: `user:${id}`, result: 'success', metadata };
}
