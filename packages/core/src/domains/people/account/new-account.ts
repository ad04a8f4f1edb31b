/** Makes accounts. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import type { EventSubject } from '../../../kernel/audit/call-events.js';
import { passwords } from '../../../kernel/ports/counted-hasher.js';
import type { Runtime } from '../../../kernel/services/runtime.js';
import type { WriteTx } from '../../../storage/store/store.js';
import { generatePassword } from '../password/password-generator.js';
import { findAccountByName, insertAccount, isEmailTaken } from './account-store.js';
import type { AccountLink, StoredAccount } from './stored-account.js';
import { usernameOf } from './username.js';

/** The members of a new account. */
export interface AccountDraft {
  readonly id: string;
  /** Tenant part of its keys. */
  readonly authority: string;
  readonly username: string;
  readonly passwordHash: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  readonly credentialId: string | null;
  /** The acting credential or account. Default: the account itself. */
  readonly actorId?: string;
  readonly links?: readonly AccountLink[];
  readonly nowMs: number;
}

/**
 * Stores a new account.
 *
 * @throws {Error} when the username isn't in its one spelling: callers accept it by `usernameOf()`.
 * @throws {AgentkeepError} `already_exists` when the username or the e-mail address is taken.
 */
export function storeNewAccount(tx: WriteTx, draft: AccountDraft): StoredAccount {
  const { id, authority, username, email, nowMs } = draft;
  if (usernameOf(username) !== username) throw new Error('The username is not normalised.');
  const isTaken =
    findAccountByName(tx, authority, username) !== undefined ||
    (email !== null && isEmailTaken(tx, authority, email, undefined));
  if (isTaken) throw new AgentkeepError('already_exists');
  const account: StoredAccount = {
    authority,
    id,
    username,
    email,
    roles: draft.roles,
    isActive: true,
    credentialId: draft.credentialId,
    revision: 1,
    createdAtMillis: nowMs,
    updatedAtMillis: nowMs,
    lastLoginMillis: null,
    disabledAtMillis: null,
    deletedAtMillis: null,
    links: draft.links ?? null,
  };
  insertAccount(tx, account, draft.passwordHash, {
    revision: 1,
    action: 'login_account_created',
    actor_id: draft.actorId ?? id,
    at_millis: nowMs,
  });
  return account;
}

/** Returns the event of a new account. */
export function accountCreated({ id, username, email, roles }: AccountDraft): EventSubject {
  return {
    type: 'user_created',
    action: 'user_created',
    resource: `user:${id}`,
    result: 'success',
    metadata: { new_username: username, new_email: email, roles: [...roles] },
  };
}

/** Returns the hash of a random password that nothing keeps, for an account of an authority. */
export function hashUnknownPassword(
  runtime: Pick<Runtime, 'entropy' | 'ports'>,
  authority: string,
): Promise<string> {
  return passwords
    .of(runtime)
    .hash(generatePassword(runtime.entropy), { authority, purpose: 'change' });
}
