/**
 * Accounts in the store: state, password hash and history in subspaces of their own, so that code
 * that shows accounts never reads a password hash.
 */
import { eachAs, noteChange } from '../../../kernel/counts/counts.js';
import { sha256 } from '../../../contract/digest.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { defineFamily, indexOf, oneFor } from '../../../storage/store/family.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx, WriteTx } from '../../../storage/store/store.js';
import type { Batch, ReadableBatch } from '../../../storage/store/subspace.js';
import { allOrFirstFailure } from '../../../storage/store/all-or-first-failure.js';
import { type HistoryPart, newestEvents } from '../../../storage/store/history.js';
import { jsonLayout } from '../../../storage/store/fields.js';
import {
  putAdministrator,
  removeAdministrator,
} from '../../tenancy/credential/administrator-store.js';
import { adminRoleOf } from '../../../kernel/access/capability.js';
import type { AccountEvent } from './account-event.js';
import { isPrivileged } from './account-principal.js';
import {
  accountLayout,
  type AccountLink,
  isSuperAdmin,
  type IssuerSubject,
  type StoredAccount,
} from './stored-account.js';

/** Current state of an account, by id. */
export const accounts = defineFamily({
  name: 'accounts',
  number: 13,
  key: ['uuid'],
  layout: accountLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: eachAs('accounts'),
  remember: true,
  committedFor: ({ authority }) => authority,
  traces: {
    personIn: ({ credentialId, username, email }: StoredAccount) => ({
      credentialId,
      names: email === null ? [username] : [username, email],
    }),
  },
});

const textLayout = jsonLayout<string>(1);

/** Password hash of an account, by account id. */
export const accountPasswords = defineFamily({
  name: 'accountPasswords',
  number: 14,
  key: ['uuid'],
  layout: textLayout,
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'secret' },
  erased: 'removed',
  counts: null,
});

/** Installation: the authority of an account, by account id. */
export const accountLocators = defineFamily({
  name: 'accountLocators',
  number: 15,
  key: ['uuid'],
  layout: textLayout,
  sealedBy: null,
  owner: 'account',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: oneFor(accounts),
  remember: true,
  committedFor: (authority) => authority,
});

/** The account with a username. The name stays taken after the account is deleted. */
export const accountNames = defineFamily({
  name: 'accountNames',
  number: 16,
  key: ['text'],
  layout: textLayout,
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'digested',
  counts: null,
  derived: oneFor(accounts),
});

/** The account with an e-mail address, by the address with ASCII letters folded. */
export const accountEmails = defineFamily({
  name: 'accountEmails',
  number: 17,
  key: ['text'],
  layout: textLayout,
  sealedBy: 'tenant',
  digests: [0],
  owner: 'value',
  accountIn: (id: string) => id,
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(accounts),
});

/** Active accounts with the role SuperAdmin, by id. */
export const superAdmins = defineFamily({
  name: 'superAdmins',
  number: 32,
  key: ['uuid'],
  layout: textLayout,
  sealedBy: null,
  owner: 'account',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(accounts),
});

/** Accounts in directory order, by JSON-encoded username. */
export const accountDirectory = defineFamily({
  name: 'accountDirectory',
  number: 36,
  key: ['text'],
  layout: textLayout,
  sealedBy: null,
  owner: 'value',
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: oneFor(accounts),
});

/** The account that an issuer vouches for, by the digest of issuer and `sub`. */
export const signInLinks = defineFamily({
  name: 'signInLinks',
  number: 101,
  key: ['digest'],
  layout: textLayout,
  sealedBy: null,
  owner: 'value',
  accountIn: (id: string) => id,
  exported: 'derived',
  erased: 'derived',
  counts: null,
  derived: indexOf(accounts),
});

/** History of an account, by id and revision. */
export const accountEvents = defineFamily({
  name: 'accountEvents',
  number: 18,
  key: ['uuid', 'integer'],
  layout: jsonLayout<AccountEvent>(1),
  sealedBy: 'tenant',
  owner: 'account',
  exported: { not: 'authority' },
  erased: 'removed',
  counts: null,
});

/** Returns the account of an authority with this id, also a deleted one, or `undefined`. */
export function findAccount(tx: ReadTx, authority: string, id: string): StoredAccount | undefined {
  return accounts.get(tx, authority, id);
}

/** Returns the account with this id, whatever its authority. Only for checking proofs. */
export function locateAccount(tx: ReadTx, id: string): StoredAccount | undefined {
  const authority = accountLocators.get(tx, INSTALLATION, id);
  return authority === undefined ? undefined : accounts.get(tx, authority, id);
}

/** Returns the account with a username. A deleted account keeps its username. */
export function findAccountByName(
  tx: ReadTx,
  authority: string,
  username: string,
): StoredAccount | undefined {
  const id = accountNames.get(tx, authority, username);
  return id === undefined ? undefined : knownAccount(tx, authority, id);
}

/** Returns whether an account other than `byOtherThan` has an e-mail address. */
export function isEmailTaken(
  tx: ReadTx,
  authority: string,
  email: string,
  byOtherThan: string | undefined,
): boolean {
  const id = accountEmails.get(tx, authority, foldedEmail(email));
  return id !== undefined && id !== byOtherThan;
}

/** Returns the account that a person at an issuer is linked to, live or not, or `undefined`. */
export function findLinkedAccount(
  tx: ReadTx,
  authority: string,
  person: IssuerSubject,
): StoredAccount | undefined {
  const id = signInLinks.get(tx, authority, linkDigest(person));
  return id === undefined ? undefined : knownAccount(tx, authority, id);
}

/** Returns whether an authority has another active account with the role SuperAdmin. */
export function hasOtherSuperAdmin(tx: ReadTx, authority: string, id: string): boolean {
  return superAdmins.values(tx, authority, { prefix: [], limit: 2 }).some((each) => each !== id);
}

/** Returns the hash of an account's password, as a PHC string. */
export function passwordHashOf(tx: ReadTx, { authority, id }: StoredAccount): string {
  const hash = accountPasswords.get(tx, authority, id);
  if (hash === undefined) throw new AgentkeepError('storage_inconsistency');
  return hash;
}

/** Replaces the hash of an account's password. */
export function putPasswordHash(
  tx: WriteTx,
  { authority, id }: StoredAccount,
  passwordHash: string,
): void {
  accountPasswords.put(tx, passwordHash, authority, id);
}

/** Stores a new account with its password hash and its first event. */
export function insertAccount(
  tx: WriteTx,
  account: StoredAccount,
  passwordHash: string,
  event: AccountEvent,
): void {
  const { authority, id, username } = account;
  accountLocators.put(tx, authority, INSTALLATION, id);
  accountNames.put(tx, id, authority, username);
  putDirectoryEntry(tx, account);
  putPasswordHash(tx, account, passwordHash);
  putAccount(tx, undefined, account);
  accountEvents.put(tx, event, authority, id, event.revision);
}

/** Stores the next revision of an account with its event. */
export function updateAccount(
  tx: WriteTx,
  before: StoredAccount,
  after: StoredAccount,
  event: AccountEvent,
): void {
  putAccount(tx, before, after);
  accountEvents.put(tx, event, after.authority, after.id, event.revision);
}

/** Stores the time of the last login. The revision stays the same. */
export function putLastLogin(tx: WriteTx, account: StoredAccount, nowMs: number): void {
  accounts.put(tx, { ...account, lastLoginMillis: nowMs }, account.authority, account.id);
}

/**
 * Returns the newest events of an account, oldest first.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function accountHistory(
  tx: ReadTx,
  account: StoredAccount,
  part?: HistoryPart,
): AccountEvent[] {
  return newestEvents(tx, accountEvents, account, part);
}

/** Returns accounts of an authority after a username, by the bytes of names, deleted ones too. */
export function accountsByName(
  tx: ReadTx,
  authority: string,
  after: string | undefined,
  limit: number,
): StoredAccount[] {
  const start: [string] | undefined = after === undefined ? undefined : [after];
  const ids = accountNames.values(tx, authority, { prefix: [], after: start, limit });
  return allOrFirstFailure(ids, (id) => knownAccount(tx, authority, id));
}

/** Adds an account to the directory of its authority. */
export function putDirectoryEntry(tx: WriteTx, { authority, id, username }: StoredAccount): void {
  accountDirectory.put(tx, id, authority, directoryKey(username));
}

/** Returns whether an account is in the directory. */
export function hasDirectoryEntry(tx: ReadTx, { authority, username }: StoredAccount): boolean {
  return accountDirectory.has(tx, authority, directoryKey(username));
}

/**
 * Returns the accounts of an authority after a username, in the order of the directory.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when a listed account is missing.
 */
export function listAccounts(
  tx: ReadTx,
  authority: string,
  page: { readonly after: string | undefined; readonly limit: number },
): StoredAccount[] {
  const { after, limit } = page;
  const start: [string] | undefined = after === undefined ? undefined : [directoryKey(after)];
  const ids = accountDirectory.values(tx, authority, { prefix: [], after: start, limit });
  return allOrFirstFailure(ids, (id) => knownAccount(tx, authority, id));
}

/** Returns a batch of the accounts of an authority, by id. */
export function storedAccounts(
  tx: ReadTx,
  authority: string,
  batch: Batch,
): ReadableBatch<StoredAccount> {
  return accounts.readable(tx, authority, batch);
}

/** Returns the keys of the indexes that have one entry for each account, by their names. */
export function accountIndexKeys({ authority, id, username }: StoredAccount) {
  return [
    ['accountLocators', accountLocators.keyOf(INSTALLATION, id)],
    ['accountNames', accountNames.keyOf(authority, username)],
    ['accountDirectory', accountDirectory.keyOf(authority, directoryKey(username))],
  ] as const;
}

/** The directory is in the order of usernames in JSON. */
function directoryKey(username: string): string {
  return JSON.stringify(username);
}

function knownAccount(tx: ReadTx, authority: string, id: string): StoredAccount {
  const account = accounts.get(tx, authority, id);
  if (account === undefined) throw new AgentkeepError('storage_inconsistency');
  return account;
}

/** Stores a state and updates the indexes. */
function putAccount(tx: WriteTx, before: StoredAccount | undefined, after: StoredAccount): void {
  const { authority, id } = after;
  const key = accounts.put(tx, after, authority, id);
  if (before === undefined) noteChange(tx, 'accounts', 1, key);
  if (before?.email !== after.email) {
    if (typeof before?.email === 'string') {
      tx.remove(accountEmails.keyOf(authority, foldedEmail(before.email)));
    }
    if (after.email !== null) accountEmails.put(tx, id, authority, foldedEmail(after.email));
  }
  putLinks(tx, before?.links ?? [], after);
  putAdministration(tx, before, after);
  if (isSuperAdmin(after)) superAdmins.put(tx, id, authority, id);
  else if (before !== undefined && isSuperAdmin(before)) {
    tx.remove(superAdmins.keyOf(authority, id));
  }
}

function putAdministration(
  tx: WriteTx,
  before: StoredAccount | undefined,
  after: StoredAccount,
): void {
  const { authority, id, roles, credentialId } = after;
  if (before !== undefined && isAdministrator(tx, before)) {
    removeAdministrator(tx, authority, before);
  }
  if (isAdministrator(tx, after)) putAdministrator(tx, authority, { id, roles, credentialId });
}

/** Returns whether a role alone can't manage an account. */
function isAdministrator(tx: ReadTx, account: StoredAccount): boolean {
  if (account.disabledAtMillis !== null) return false;
  return adminRoleOf(account.roles) !== null || isPrivileged(tx, account);
}

function putLinks(tx: WriteTx, before: readonly AccountLink[], after: StoredAccount): void {
  const { authority, id } = after;
  if (before === after.links) return;
  for (const link of before) tx.remove(signInLinks.keyOf(authority, linkDigest(link)));
  for (const link of after.links ?? []) signInLinks.put(tx, id, authority, linkDigest(link));
}

function linkDigest({ issuer, sub }: IssuerSubject): Uint8Array {
  return sha256(JSON.stringify([issuer, sub]));
}

/** Addresses that differ only in the case of ASCII letters are the same. */
function foldedEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
