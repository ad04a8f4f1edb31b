/**
 * Accounts in the store: state, password and history apart, so that nothing that shows an account
 * ever has its password hash in hand.
 *
 * @module
 */
import { AgentkeepError } from '../../contract/errors/agentkeep-error.js';
import { noteChange } from '../../runtime/counts/noted-changes.js';
import { INSTALLATION, keyspace } from '../../storage/store/keyspace.js';
import type { ReadTx, WriteTx } from '../../storage/store/store.js';
import { type Batch, type ReadableBatch, Subspace } from '../../storage/store/subspace.js';
import { fieldsLayout } from '../../storage/store/value.js';
import type { AccountEvent } from './account-event.js';
import { accountLayout, isSuperAdmin, type StoredAccount } from './stored-account.js';

const accounts = new Subspace(keyspace.accounts, accountLayout, { remember: true });

const text = () =>
  fieldsLayout<string, [string]>(
    1,
    (value) => [value],
    ([value]) => value,
  );

const passwords = new Subspace(keyspace.accountPasswords, text());
const locators = new Subspace(keyspace.accountLocators, text(), { remember: true });
const names = new Subspace(keyspace.accountNames, text());
const emails = new Subspace(keyspace.accountEmails, text());
const superAdmins = new Subspace(keyspace.superAdmins, text());
const directory = new Subspace(keyspace.accountDirectory, text());

const events = new Subspace(
  keyspace.accountEvents,
  fieldsLayout<AccountEvent, [AccountEvent]>(
    1,
    (event) => [event],
    ([event]) => event,
  ),
);

/** The subspaces of accounts, by their names in the key space. */
export const accountSubspaces = {
  accounts,
  accountPasswords: passwords,
  accountLocators: locators,
  accountNames: names,
  accountEmails: emails,
  accountEvents: events,
  accountDirectory: directory,
  superAdmins,
};

/** The account of an authority with this id, deleted ones too. */
export function findAccount(tx: ReadTx, authority: string, id: string): StoredAccount | undefined {
  return accounts.get(tx, authority, id);
}

/** The account with this id, of whatever authority; only for checking a proof. */
export function locateAccount(tx: ReadTx, id: string): StoredAccount | undefined {
  const authority = locators.get(tx, INSTALLATION, id);
  return authority === undefined ? undefined : accounts.get(tx, authority, id);
}

/** The account that has a username, or had it when it was deleted. */
export function findAccountByName(
  tx: ReadTx,
  authority: string,
  username: string,
): StoredAccount | undefined {
  const id = names.get(tx, authority, username);
  return id === undefined ? undefined : knownAccount(tx, authority, id);
}

/** Whether another account than this one has an e-mail address. */
export function isEmailTaken(
  tx: ReadTx,
  authority: string,
  email: string,
  byOtherThan: string | undefined,
): boolean {
  const id = emails.get(tx, authority, foldedEmail(email));
  return id !== undefined && id !== byOtherThan;
}

/** Whether another active account of an authority has the role SuperAdmin. */
export function hasOtherSuperAdmin(tx: ReadTx, authority: string, id: string): boolean {
  const rows = [...superAdmins.rows(tx, authority, { prefix: [], limit: 2 })];
  return rows.some(({ value }) => value !== id);
}

/** What is stored in place of an account's password, as a PHC string. */
export function passwordHashOf(tx: ReadTx, { authority, id }: StoredAccount): string {
  const hash = passwords.get(tx, authority, id);
  if (hash === undefined) throw new AgentkeepError('storage_inconsistency');
  return hash;
}

/** Replaces what is stored in place of an account's password. */
export function putPasswordHash(
  tx: WriteTx,
  { authority, id }: StoredAccount,
  passwordHash: string,
): void {
  passwords.put(tx, passwordHash, authority, id);
}

/** Stores a new account with its password hash and the event that made it. */
export function insertAccount(
  tx: WriteTx,
  account: StoredAccount,
  passwordHash: string,
  event: AccountEvent,
): void {
  const { authority, id, username } = account;
  locators.put(tx, authority, INSTALLATION, id);
  names.put(tx, id, authority, username);
  putDirectoryEntry(tx, account);
  putPasswordHash(tx, account, passwordHash);
  putAccount(tx, undefined, account);
  events.put(tx, event, authority, id, event.revision);
}

/** Stores the next revision of an account with the event that led to it. */
export function updateAccount(
  tx: WriteTx,
  before: StoredAccount,
  after: StoredAccount,
  event: AccountEvent,
): void {
  putAccount(tx, before, after);
  events.put(tx, event, after.authority, after.id, event.revision);
}

/** Stores when an account logged in last, which is no revision. */
export function putLastLogin(tx: WriteTx, account: StoredAccount, nowMs: number): void {
  accounts.put(tx, { ...account, lastLoginMillis: nowMs }, account.authority, account.id);
}

/**
 * The whole history of an account, oldest first.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when an event is missing.
 */
export function accountHistory(
  tx: ReadTx,
  { authority, id, revision }: StoredAccount,
): AccountEvent[] {
  const history = [...events.rows(tx, authority, { prefix: [id] })].map(({ value }) => value);
  const isComplete = history.every((event, index) => event.revision === index + 1);
  if (!isComplete || history.length !== revision) throw new AgentkeepError('storage_inconsistency');
  return history;
}

/**
 * Accounts of an authority by the bytes of their usernames, from behind a name, deleted ones too.
 */
export function* accountsByName(
  tx: ReadTx,
  authority: string,
  after: string | undefined,
): Iterable<StoredAccount> {
  const start = after === undefined ? {} : { after: [after] as [string] };
  const ids = [...names.rows(tx, authority, { prefix: [], limit: ROWS_AT_ONCE, ...start })];
  let last = after;
  for (const { value: id } of ids) {
    const account = knownAccount(tx, authority, id);
    last = account.username;
    yield account;
  }
  if (ids.length === ROWS_AT_ONCE) yield* accountsByName(tx, authority, last);
}

/** Gives an account its place in the directory of its authority. */
export function putDirectoryEntry(tx: WriteTx, { authority, id, username }: StoredAccount): void {
  directory.put(tx, id, authority, directoryKey(username));
}

/** Whether an account has its place in the directory. */
export function hasDirectoryEntry(tx: ReadTx, { authority, username }: StoredAccount): boolean {
  return directory.has(tx, authority, directoryKey(username));
}

/**
 * Accounts of an authority in the order of the directory, from behind a username, all of them.
 *
 * @throws {AgentkeepError} `storage_inconsistency` when one that is listed is not there.
 */
export function listAccounts(
  tx: ReadTx,
  authority: string,
  page: { readonly after: string | undefined; readonly limit: number },
): StoredAccount[] {
  const { after, limit } = page;
  const start = after === undefined ? {} : { after: [directoryKey(after)] as [string] };
  const rows = [...directory.rows(tx, authority, { prefix: [], limit, ...start })];
  return rows.map(({ value: id }) => knownAccount(tx, authority, id));
}

/** Accounts of an authority by id, as they are stored, a piece at a time. */
export function storedAccounts(
  tx: ReadTx,
  authority: string,
  batch: Batch,
): ReadableBatch<StoredAccount> {
  return accounts.readable(tx, authority, batch);
}

/** The directory goes by usernames as JSON writes them. */
function directoryKey(username: string): string {
  return JSON.stringify(username);
}

/** Rows of an index that are read before their accounts are looked up. */
const ROWS_AT_ONCE = 256;

function knownAccount(tx: ReadTx, authority: string, id: string): StoredAccount {
  const account = accounts.get(tx, authority, id);
  if (account === undefined) throw new AgentkeepError('storage_inconsistency');
  return account;
}

/** Stores a state and keeps the indexes in step with it. */
function putAccount(tx: WriteTx, before: StoredAccount | undefined, after: StoredAccount): void {
  const { authority, id } = after;
  const key = accounts.put(tx, after, authority, id);
  if (before === undefined) noteChange(tx, 'accounts', 1, key);
  if (before?.email !== after.email) {
    if (typeof before?.email === 'string') {
      tx.remove(emails.keyOf(authority, foldedEmail(before.email)));
    }
    if (after.email !== null) emails.put(tx, id, authority, foldedEmail(after.email));
  }
  if (isSuperAdmin(after)) superAdmins.put(tx, id, authority, id);
  else if (before !== undefined && isSuperAdmin(before)) {
    tx.remove(superAdmins.keyOf(authority, id));
  }
}

/** Addresses that differ only in the case of ASCII letters are one. */
function foldedEmail(email: string): string {
  return email.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
