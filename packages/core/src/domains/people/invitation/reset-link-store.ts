/**
 * Reset links in the store: at most one for each account, by which its person sets a new password.
 * Only a digest of the code is stored.
 */
import { defineFamily } from '../../../storage/store/family.js';
import { number, text } from '../../../storage/store/fields.js';
import { fieldsLayout, type ValueOf } from '../../../storage/store/layouts.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { StoredAccount } from '../account/stored-account.js';

const resetLinkLayout = fieldsLayout(1, {
  /** Tenant id, or `INSTALLATION`. */
  authority: text,
  accountId: text,
  /** Digest of the code. */
  verifier: text,
  /** Revision of the account for which the link was made: any change of the account ends it. */
  revision: number,
  /** From then on the code is refused. */
  expiresAtMillis: number,
});

/** A stored reset link. */
type StoredResetLink = ValueOf<typeof resetLinkLayout>;

/** The newest reset link of each account that has one, by account id. */
export const resetLinks = defineFamily({
  name: 'resetLinks',
  number: 125,
  key: ['uuid'],
  layout: resetLinkLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'removed',
  counts: null,
});

/** Returns the reset link of an account as it is now; `undefined` once the account changed. */
export function findResetLink(
  tx: ReadTx,
  { authority, id, revision }: StoredAccount,
): StoredResetLink | undefined {
  const link = resetLinks.get(tx, authority, id);
  return link?.revision === revision ? link : undefined;
}

/** Stores the reset link of an account. Its code replaces the one before. */
export function putResetLink(tx: WriteTx, link: StoredResetLink): void {
  resetLinks.put(tx, link, link.authority, link.accountId);
}

/** Removes the reset link of an account that got a password or was deleted. */
export function removeResetLink(
  tx: WriteTx,
  { authority, id }: Pick<StoredAccount, 'authority' | 'id'>,
): void {
  if (resetLinks.has(tx, authority, id)) tx.remove(resetLinks.keyOf(authority, id));
}
