/** Shows an account in its two views. Neither has access to the password hash. */
import { authorityOf, tenantIdOf } from '../../../kernel/access/principal.js';
import { timeText } from '../../../contract/schema/time.js';
import type { HistoryPart } from '../../../storage/store/history.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { accountHistory } from './account-store.js';
import { isActiveAccount, type StoredAccount } from './stored-account.js';
import type { LoginAccount, User } from './schema.js';

/** Returns the account as the account surface shows it. */
export function showUser(account: StoredAccount): User {
  const { lastLoginMillis } = account;
  return {
    id: account.id,
    username: account.username,
    email: account.email,
    // Copied, because the state is cached: a caller could change it through the answer.
    roles: [...account.roles],
    is_active: isActiveAccount(account),
    created_at: timeText(account.createdAtMillis),
    updated_at: timeText(account.updatedAtMillis),
    last_login: lastLoginMillis === null ? null : timeText(lastLoginMillis),
    tenant_id: tenantIdOf(account.authority),
    credential_id: account.credentialId,
  };
}

/**
 * Returns the account as the platform shows it, with the newest events or another part of its
 * history.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function showLoginAccount(
  tx: ReadTx,
  account: StoredAccount,
  part?: HistoryPart,
): LoginAccount {
  return {
    id: account.id,
    username: account.username,
    authority: authorityOf(account.authority),
    credential_id: account.credentialId,
    revision: account.revision,
    disabled_at_millis: account.disabledAtMillis,
    history: accountHistory(tx, account, part),
  };
}
