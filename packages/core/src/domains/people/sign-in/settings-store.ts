/** How the people of an authority sign in, in the store. */
import {
  boolean,
  fieldsLayout,
  json,
  number,
  text,
  type ValueOf,
} from '../../../storage/store/fields.js';
import { defineFamily } from '../../../storage/store/family.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { SignInIssuer } from './schema.js';

/** A stored issuer, with the secret of the client. */
export type StoredSignInIssuer = Omit<SignInIssuer, 'has_client_secret'> & {
  readonly client_secret: string | null;
};

const settingsLayout = fieldsLayout(1, {
  authority: text,
  revision: number,
  allowsPasswords: boolean,
  issuers: json<readonly StoredSignInIssuer[]>(),
  /** What sign-ins under this revision are derived with, in base64url. Secret. */
  key: text,
  updatedAtMillis: number,
  /** Id of the credential or account that made the revision. */
  updatedBy: text,
});

/** Stored settings. */
export type StoredSignInSettings = ValueOf<typeof settingsLayout>;

/** How the people of an authority sign in. */
export const signInSettings = defineFamily({
  name: 'signInSettings',
  number: 100,
  key: [],
  layout: settingsLayout,
  sealedBy: 'tenant',
  owner: 'tenant',
  exported: { not: 'secret' },
  erased: 'kept',
  counts: null,
  remember: true,
  committedFor: ({ authority }) => authority,
});

/** Returns the settings of an authority; `undefined` if none were ever stated. */
export function findSignInSettings(
  tx: ReadTx,
  authority: string,
): StoredSignInSettings | undefined {
  return signInSettings.get(tx, authority);
}

/** Returns whether the accounts of an authority may log in with passwords. */
export function allowsPasswords(tx: ReadTx, authority: string): boolean {
  return findSignInSettings(tx, authority)?.allowsPasswords !== false;
}

/** Stores the settings of an authority. */
export function putSignInSettingsState(tx: WriteTx, stated: StoredSignInSettings): void {
  signInSettings.put(tx, stated, stated.authority);
}
