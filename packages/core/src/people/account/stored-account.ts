/**
 * An account as it is stored: its current state, in the order in which its members are written.
 *
 * @module
 */
import { fieldsLayout } from '../../storage/store/value.js';

/** The current state of an account. */
export interface StoredAccount {
  /** The tenant it belongs to, or an empty text for the installation. */
  readonly authority: string;
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly roles: readonly string[];
  /** The switch of the account surface, which can be turned back. */
  readonly isActive: boolean;
  /** The credential that it acts with on the platform; fixed when it is made. */
  readonly credentialId: string | null;
  /** Length of its history. */
  readonly revision: number;
  readonly createdAtMillis: number;
  readonly updatedAtMillis: number;
  readonly lastLoginMillis: number | null;
  /** Disabled for good since then. */
  readonly disabledAtMillis: number | null;
  /** Gone from the users view since then; disabled as well. */
  readonly deletedAtMillis: number | null;
}

type Fields = [
  authority: string,
  id: string,
  username: string,
  email: string | null,
  roles: readonly string[],
  isActive: boolean,
  credentialId: string | null,
  revision: number,
  createdAtMillis: number,
  updatedAtMillis: number,
  lastLoginMillis: number | null,
  disabledAtMillis: number | null,
  deletedAtMillis: number | null,
];

/** How accounts are written. */
export const accountLayout = fieldsLayout<StoredAccount, Fields>(
  1,
  (it) => [
    it.authority,
    it.id,
    it.username,
    it.email,
    it.roles,
    it.isActive,
    it.credentialId,
    it.revision,
    it.createdAtMillis,
    it.updatedAtMillis,
    it.lastLoginMillis,
    it.disabledAtMillis,
    it.deletedAtMillis,
  ],
  ([
    authority,
    id,
    username,
    email,
    roles,
    isActive,
    credentialId,
    revision,
    createdAtMillis,
    updatedAtMillis,
    lastLoginMillis,
    disabledAtMillis,
    deletedAtMillis,
  ]) => ({
    authority,
    id,
    username,
    email,
    roles,
    isActive,
    credentialId,
    revision,
    createdAtMillis,
    updatedAtMillis,
    lastLoginMillis,
    disabledAtMillis,
    deletedAtMillis,
  }),
);

/** Whether an account may act and log in. */
export function isActiveAccount({ isActive, disabledAtMillis }: StoredAccount): boolean {
  return isActive && disabledAtMillis === null;
}

/** Whether an account has the role SuperAdmin and may use it. */
export function isSuperAdmin(account: StoredAccount): boolean {
  return isActiveAccount(account) && account.roles.includes('SuperAdmin');
}
