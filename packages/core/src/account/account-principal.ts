/**
 * The party that an account is, once its proof was found good.
 *
 * @module
 */
import {
  type AccountPresence,
  type AccountPrincipal,
  type ActingCredential,
  HeldProof,
  type HeldSubject,
} from '../access/principal.js';
import { adminRoleOf } from '../access/role.js';
import { authorityOf } from '../access/authority.js';
import { findCredential } from '../credential/credential-store.js';
import { isLive } from '../credential/credential-policy.js';
import type { ReadTx } from '../store/store.js';
import type { StoredAccount } from './account-store.js';

/** How an account has proved itself, and what to hold of it. */
export interface ProvedAccount {
  readonly account: StoredAccount;
  readonly credential: ActingCredential | null;
  readonly presence: AccountPresence;
  readonly held: HeldSubject;
}

/** The credential that an account is bound to; null when it is bound to none. */
export function boundCredential(
  tx: ReadTx,
  { authority, credentialId }: StoredAccount,
): ActingCredential | null {
  return credentialId === null ? null : (findCredential(tx, authority, credentialId) ?? null);
}

/** Whether an account may log in as far as its credential is concerned. */
export function isBindingLive(
  { credentialId }: StoredAccount,
  credential: ActingCredential | null,
  nowMs: number,
): boolean {
  return credentialId === null || (credential !== null && isLive(credential, nowMs));
}

/** The account as a party; its roles are those that are stored now. */
export function accountPrincipal(proved: ProvedAccount): AccountPrincipal {
  const { account, credential, presence, held } = proved;
  return {
    kind: 'account',
    authority: authorityOf(account.authority),
    id: account.id,
    username: account.username,
    credential,
    role: adminRoleOf(account.roles),
    presence,
    held: new HeldProof(held),
  };
}
