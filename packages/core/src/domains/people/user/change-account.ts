/**
 * Changes of an account: its new state, the refusals, and what ends with it
 * (docs/contract/users.md#usr-23). Rights are checked before.
 */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { endConnectionsOf } from '../connection/manage-connections.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import {
  endInvitation,
  removeInvitation,
  removeResetLink,
} from '../invitation/invitation-store.js';
import { removeSessions } from '../session/session-store.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { AccountEvent } from '../account/account-event.js';
import {
  hasOtherSuperAdmin,
  isEmailTaken,
  putPasswordHash,
  updateAccount,
} from '../account/account-store.js';
import { type AccountLink, isSuperAdmin, type StoredAccount } from '../account/stored-account.js';

/** Members to change; absent ones stay. */
export interface AccountChange {
  readonly email?: string | null | undefined;
  readonly isActive?: boolean | undefined;
  readonly roles?: readonly string[] | undefined;
  readonly credentialId?: string | null | undefined;
  readonly links?: readonly AccountLink[] | undefined;
  /** Whether the password is replaced as well. */
  readonly hasNewPassword?: boolean | undefined;
}

/** The actor and the time of a change, and where its events go. */
export interface ChangeMark {
  /** The acting credential, else the acting account. */
  readonly actorId: string;
  readonly nowMs: number;
  /** Takes the event of each program whose connection ends. */
  readonly record: (event: EventSubject) => void;
}

/**
 * Returns the members of an account after a change; `undefined` when nothing changes.
 *
 * @throws {AgentkeepError} `account_disabled`, `already_exists` when the e-mail address is taken,
 * `last_admin` when the installation would be left without an active SuperAdmin.
 */
export function plannedChange(
  tx: ReadTx,
  before: StoredAccount,
  { email, isActive, roles, credentialId, links, hasNewPassword = false }: AccountChange,
): StoredAccount | undefined {
  const asked = [email, isActive, roles, credentialId, links];
  const isAsked = asked.some((member) => member !== undefined);
  if (!isAsked && !hasNewPassword) return undefined;
  requireEnabled(before);
  const after: StoredAccount = {
    ...before,
    email: email === undefined ? before.email : email,
    isActive: isActive ?? before.isActive,
    roles: roles === undefined || haveSameRoles(before, { roles }) ? before.roles : roles,
    credentialId: credentialId === undefined ? before.credentialId : credentialId,
    links: links ?? before.links,
  };
  if (after.email !== null && isEmailTaken(tx, before.authority, after.email, before.id)) {
    throw new AgentkeepError('already_exists');
  }
  requireAdminLeft(tx, before, after);
  return hasNewPassword || isDifferent(before, after) ? after : undefined;
}

/**
 * Stores a planned change with its event, and ends the sessions and connected programs that must
 * not outlive it.
 */
export function storeAccountChange(
  tx: WriteTx,
  before: StoredAccount,
  planned: StoredAccount,
  mark: ChangeMark & { readonly passwordHash?: string | undefined },
): StoredAccount {
  const { passwordHash } = mark;
  const action = passwordHash === undefined ? 'login_account_updated' : 'login_password_changed';
  const after = storeRevision(tx, before, planned, { ...mark, action });
  if (passwordHash !== undefined) putPasswordHash(tx, after, passwordHash);
  const endsSessions =
    passwordHash !== undefined || !after.isActive || !haveSameRoles(before, after);
  if (endsSessions) removeSessions(tx, after.authority, after.id);
  if (passwordHash !== undefined || !after.isActive) endPrograms(tx, after, mark);
  if (passwordHash !== undefined) removeLinks(tx, after);
  else if (!after.isActive) endInvitation(tx, after);
  return after;
}

/**
 * Disables an account for good and removes it from the users view. Its name stays taken, its e-mail
 * address becomes free.
 *
 * @throws {AgentkeepError} `account_disabled`, `last_admin`
 */
export function storeDeletion(tx: WriteTx, before: StoredAccount, mark: ChangeMark): void {
  requireEnabled(before);
  const { nowMs } = mark;
  const gone = { ...before, email: null, disabledAtMillis: nowMs, deletedAtMillis: nowMs };
  requireAdminLeft(tx, before, gone);
  storeRevision(tx, before, gone, { ...mark, action: 'login_account_disabled' });
  removeSessions(tx, before.authority, before.id);
  removeLinks(tx, before);
  endPrograms(tx, before, mark);
}

/**
 * Disables an account for good; it stays in every view.
 *
 * @throws {AgentkeepError} `account_disabled`, `last_admin`
 */
export function storeDisabling(
  tx: WriteTx,
  before: StoredAccount,
  mark: ChangeMark,
): StoredAccount {
  requireEnabled(before);
  const disabled = { ...before, disabledAtMillis: mark.nowMs };
  requireAdminLeft(tx, before, disabled);
  const after = storeRevision(tx, before, disabled, { ...mark, action: 'login_account_disabled' });
  removeSessions(tx, before.authority, before.id);
  removeLinks(tx, before);
  endPrograms(tx, before, mark);
  return after;
}

/** Removes the links that set the password of an account. */
function removeLinks(tx: WriteTx, account: StoredAccount): void {
  removeInvitation(tx, account);
  removeResetLink(tx, account);
}

/** Ends the connections of an account. None comes back with it. */
function endPrograms(
  tx: WriteTx,
  { authority: tenantId, id: accountId }: StoredAccount,
  mark: ChangeMark,
): void {
  for (const event of endConnectionsOf(tx, { tenantId, accountId }, mark)) mark.record(event);
}

/** Returns whether two accounts have the same set of roles. An account has each role once. */
export function haveSameRoles(
  one: Pick<StoredAccount, 'roles'>,
  other: Pick<StoredAccount, 'roles'>,
): boolean {
  return (
    one.roles.length === other.roles.length && one.roles.every((role) => other.roles.includes(role))
  );
}

function storeRevision(
  tx: WriteTx,
  before: StoredAccount,
  planned: StoredAccount,
  { actorId, nowMs, action }: ChangeMark & Pick<AccountEvent, 'action'>,
): StoredAccount {
  const revision = before.revision + 1;
  const after = { ...planned, revision, updatedAtMillis: nowMs };
  updateAccount(tx, before, after, { revision, action, actor_id: actorId, at_millis: nowMs });
  return after;
}

function requireEnabled({ disabledAtMillis }: StoredAccount): void {
  if (disabledAtMillis !== null) throw new AgentkeepError('account_disabled');
}

/**
 * Parallel demotions conflict here, inside their transactions, so that one administrator is left.
 */
function requireAdminLeft(tx: ReadTx, before: StoredAccount, after: StoredAccount): void {
  const isLoss = isSuperAdmin(before) && !isSuperAdmin(after);
  if (!isLoss || before.authority !== INSTALLATION) return;
  if (!hasOtherSuperAdmin(tx, before.authority, before.id)) throw new AgentkeepError('last_admin');
}

function isDifferent(before: StoredAccount, after: StoredAccount): boolean {
  return (
    before.email !== after.email ||
    before.isActive !== after.isActive ||
    before.roles !== after.roles ||
    before.credentialId !== after.credentialId ||
    before.links !== after.links
  );
}
