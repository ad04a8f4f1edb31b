/** Finds the account of a login for the login engine. */
import {
  type BoundCredential,
  boundCredential,
  isBindingLive,
} from '../account/account-principal.js';
import { findAccountByName, passwordHashOf } from '../account/account-store.js';
import { isActiveAccount, type StoredAccount } from '../account/stored-account.js';
import type { LoginSubject } from '../lockout/check-login.js';
import type { LockoutName } from '../lockout/lockout-store.js';
import type { ReadTx } from '../../../storage/store/store.js';

/** An account, and the credential that its session pins. */
export interface AccountLogin extends LoginSubject {
  readonly account: StoredAccount;
  readonly credential: BoundCredential | null;
}

/** Finds the account with a name, live or not. Only the engine may reveal which. */
export function findLogin(
  tx: ReadTx,
  { authority, username }: LockoutName,
  nowMs: number,
): AccountLogin | undefined {
  const account = findAccountByName(tx, authority, username);
  if (account === undefined) return undefined;
  const credential = boundCredential(tx, account);
  return {
    account,
    credential,
    accountId: account.id,
    passwordHash: passwordHashOf(tx, account),
    mayLogIn: isActiveAccount(account) && isBindingLive(account, credential, nowMs),
  };
}
