/** The stored state of an account. */
import {
  addedLast,
  boolean,
  fieldsLayout,
  json,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';

/** A person at an issuer. */
export interface IssuerSubject {
  /** The URL of the issuer. */
  readonly issuer: string;
  /** Its name for the person. */
  readonly sub: string;
}

/** Who at an issuer signs in as an account. */
export interface AccountLink extends IssuerSubject {
  /** Whether each sign-in gives the account what the rules of the issuer say. */
  readonly follows_rules: boolean;
}

/** How accounts are stored. */
export const accountLayout = fieldsLayout(2, {
  /** The tenant that it belongs to, or an empty text for the installation. */
  authority: text,
  id: text,
  username: text,
  email: json<string | null>(),
  roles: json<readonly string[]>(),
  /** Switched off by an administrator, who may switch it on again. */
  isActive: boolean,
  /** The credential that it acts with on the platform. Only rules of issuers change it. */
  credentialId: json<string | null>(),
  /** Length of its history. */
  revision: number,
  createdAtMillis: number,
  updatedAtMillis: number,
  lastLoginMillis: json<number | null>(),
  /** When it was disabled for good. */
  disabledAtMillis: json<number | null>(),
  /** When it was deleted from the users view, which disables it too. */
  deletedAtMillis: json<number | null>(),
  /** Who signs in as this account by an issuer. */
  links: addedLast<readonly AccountLink[]>(),
});

/** The current state of an account. */
export type StoredAccount = ValueOf<typeof accountLayout>;

/** Returns whether an account may act and log in. */
export function isActiveAccount({ isActive, disabledAtMillis }: StoredAccount): boolean {
  return isActive && disabledAtMillis === null;
}

/** Returns whether an account is active and has the role SuperAdmin. */
export function isSuperAdmin(account: StoredAccount): boolean {
  return isActiveAccount(account) && account.roles.includes('SuperAdmin');
}
