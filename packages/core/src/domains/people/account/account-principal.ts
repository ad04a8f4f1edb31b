/** Turns an authenticated account into a principal. */
import {
  type AccountPresence,
  type AccountPrincipal,
  type ActingCredential,
  type ActingGlobalCredential,
  authorityOf,
  HeldProof,
  type HeldSubject,
} from '../../../kernel/access/principal.js';
import { adminRoleOf } from '../../../kernel/access/capability.js';
import { findCredential } from '../../tenancy/credential/credential-store.js';
import { isLive } from '../../tenancy/credential/credential-policy.js';
import { findGlobalCredential } from '../../tenancy/global-credential/global-credential-store.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import type { StoredAccount } from './stored-account.js';

/** The credential that an account is bound to, of its tenant or of the installation. */
export type BoundCredential = ActingCredential | ActingGlobalCredential;

/** An account with a valid proof, and the state that its held proof pins. */
export interface ProvedAccount {
  readonly account: StoredAccount;
  readonly credential: BoundCredential | null;
  readonly presence: AccountPresence;
  readonly held: HeldSubject;
}

/** Returns the credential that an account is bound to, or null. */
export function boundCredential(
  tx: ReadTx,
  { authority, credentialId }: StoredAccount,
): BoundCredential | null {
  return credentialId === null ? null : (findBindable(tx, authority, credentialId) ?? null);
}

/** Returns a credential of an authority that accounts can be bound to. */
export function findBindable(
  tx: ReadTx,
  authority: string,
  credentialId: string,
): BoundCredential | undefined {
  return authority === INSTALLATION
    ? findGlobalCredential(tx, credentialId)
    : findCredential(tx, authority, credentialId);
}

/** Returns whether the credential of an account lets it log in. */
export function isBindingLive(
  { credentialId }: StoredAccount,
  credential: BoundCredential | null,
  nowMs: number,
): boolean {
  return credentialId === null || (credential !== null && isLive(credential, nowMs));
}

/** Returns whether an account acts with a credential that issues others, or with a global one. */
export function isPrivileged(tx: ReadTx, account: StoredAccount): boolean {
  const { authority, credentialId } = account;
  if (credentialId !== null && authority === INSTALLATION) return true;
  const bound = credentialId === null ? undefined : findCredential(tx, authority, credentialId);
  return bound?.spec.capabilities.includes('credential_admin') === true;
}

/** Returns the account as a principal with the roles that are stored now. */
export function accountPrincipal(proved: ProvedAccount): AccountPrincipal {
  const { account, credential, presence, held } = proved;
  return {
    kind: 'account',
    authority: authorityOf(account.authority),
    id: account.id,
    username: account.username,
    ...acting(credential),
    role: adminRoleOf(account.roles),
    presence,
    held: new HeldProof(held),
  };
}

function acting(credential: BoundCredential | null) {
  if (credential === null) return { credential, global: null };
  return 'isMaster' in credential
    ? { credential: null, global: credential }
    : { credential, global: null };
}
