/**
 * Invitations in the store: one for each account whose person has not chosen a password yet. Only
 * a digest of the code is stored.
 *
 * Reset links in the store: at most one for each account, by which its person sets a new password.
 * Only a digest of the code is stored.
 */
import { defineFamily } from '../../../storage/store/family.js';
import { fieldsLayout, json, number, text, type ValueOf } from '../../../storage/store/fields.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { StoredAccount } from '../account/stored-account.js';

const invitationLayout = fieldsLayout(1, {
  /** Tenant id, or `INSTALLATION`. */
  authority: text,
  accountId: text,
  /** Digest of the code; null once the invitation was revoked. */
  verifier: json<string | null>(),
  /** The credential that was made for the account. */
  credentialId: text,
  /** Name of the role that was offered. */
  role: text,
  createdAtMillis: number,
  /** From then on the code is refused. */
  expiresAtMillis: number,
  /** Id of the credential or account that invited. */
  invitedBy: text,
});

/** A stored invitation. */
export type StoredInvitation = ValueOf<typeof invitationLayout>;

/** Invitations that were not accepted, by account id. */
export const invitations = defineFamily({
  name: 'invitations',
  number: 126,
  key: ['uuid'],
  layout: invitationLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'removed',
  counts: null,
});

/** The account that an invitation belongs to. */
interface InvitedAccount {
  readonly authority: string;
  readonly id: string;
}

/** Returns the invitation of an account; `undefined` once the account has a password of its own. */
export function findInvitation(
  tx: ReadTx,
  { authority, id }: InvitedAccount,
): StoredInvitation | undefined {
  return invitations.get(tx, authority, id);
}

/** Stores the invitation of an account. Its code replaces the one before. */
export function putInvitation(tx: WriteTx, invitation: StoredInvitation): void {
  invitations.put(tx, invitation, invitation.authority, invitation.accountId);
}

/** Removes the invitation of an account that got a password or was deleted. */
export function removeInvitation(tx: WriteTx, { authority, id }: InvitedAccount): void {
  if (invitations.has(tx, authority, id)) tx.remove(invitations.keyOf(authority, id));
}

/** Ends the code of an invitation, if there is one. The account can be invited again. */
export function endInvitation(tx: WriteTx, account: InvitedAccount): void {
  const invitation = findInvitation(tx, account);
  if (invitation === undefined || invitation.verifier === null) return;
  putInvitation(tx, { ...invitation, verifier: null });
}

/** Returns invitations of an authority after an account, in ascending order of account ids. */
export function listStoredInvitations(
  tx: ReadTx,
  authority: string,
  { after, limit }: { readonly after: string | undefined; readonly limit: number },
): StoredInvitation[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  return invitations.values(tx, authority, { prefix: [], after: start, limit });
}

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
