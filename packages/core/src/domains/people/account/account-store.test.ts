/** Accounts and their indexes stay consistent through any change. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  accountHistory,
  accountsByName,
  findAccount,
  findAccountByName,
  hasOtherSuperAdmin,
  insertAccount,
  isEmailTaken,
  locateAccount,
  passwordHashOf,
  updateAccount,
} from './account-store.js';
import { isActiveAccount, type StoredAccount } from './stored-account.js';
import { testStore } from '@agentkeep/testkit/test-store';

const idOf = (index: number): string =>
  `01934f2a-7c1b-7000-8000-${String(index).padStart(12, '0')}`;

const newAccount = (index: number, members: Partial<StoredAccount> = {}): StoredAccount => ({
  authority: 'acme',
  id: idOf(index),
  username: `user ${index}`,
  email: null,
  roles: ['Read'],
  isActive: true,
  credentialId: null,
  revision: 1,
  createdAtMillis: 1,
  updatedAtMillis: 1,
  lastLoginMillis: null,
  disabledAtMillis: null,
  deletedAtMillis: null,
  links: null,
  ...members,
});

const event = (revision: number) =>
  ({ revision, action: 'login_account_created', actor_id: idOf(0), at_millis: 1 }) as const;

test('an account is found by id, by name and without its authority', async () => {
  const store = testStore();
  const account = newAccount(1);
  await store.transact((tx) => {
    insertAccount(tx, account, 'hash', event(1));
  });
  await store.read((tx) => {
    expect(findAccount(tx, 'acme', account.id)).toEqual(account);
    expect(findAccount(tx, 'other', account.id)).toBeUndefined();
    expect(findAccountByName(tx, 'acme', 'user 1')).toEqual(account);
    expect(findAccountByName(tx, 'acme', 'USER 1')).toBeUndefined();
    expect(locateAccount(tx, account.id)).toEqual(account);
    expect(passwordHashOf(tx, account)).toBe('hash');
    expect(accountHistory(tx, account)).toEqual([event(1)]);
  });
});

test('accounts are listed by the bytes of their names, after a name', async () => {
  const store = testStore();
  const all = Array.from({ length: 60 }, (_, index) => newAccount(index));
  await store.transact((tx) => {
    for (const account of all) insertAccount(tx, account, 'hash', event(1));
  });
  const namesOf = (after: string | undefined, limit: number) =>
    store.read((tx) => accountsByName(tx, 'acme', after, limit).map(({ username }) => username));
  const expected = all.map(({ username }) => username).sort();
  expect(await namesOf(undefined, 99)).toEqual(expected);
  expect(await namesOf(expected[29], 99)).toEqual(expected.slice(30));
  expect(await namesOf(expected[29], 7)).toEqual(expected.slice(30, 37));
});

const change = fc.record({
  index: fc.nat({ max: 3 }),
  email: fc.constantFrom(null, 'a@x.test', 'A@X.test', 'b@x.test', 'É@x.test', 'é@x.test'),
  roles: fc.constantFrom(['Read'], ['Admin'], ['SuperAdmin'], ['Read', 'SuperAdmin']),
  isActive: fc.boolean(),
  disabledAtMillis: fc.constantFrom(null, 5),
});

const folded = (email: string | null): string | null =>
  email?.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) ?? null;

test('indexes of e-mail addresses and active SuperAdmins match the accounts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 20 }), async (changes) => {
      const store = testStore();
      const model = [0, 1, 2, 3].map((index) => newAccount(index));
      for (const account of model) {
        await store.transact((tx) => {
          insertAccount(tx, account, 'hash', event(1));
        });
      }
      for (const { index, ...members } of changes) {
        const isTaken = model.some(
          (other, at) =>
            at !== index && other.email !== null && folded(other.email) === folded(members.email),
        );
        await store.transact((tx) => {
          const before = findAccount(tx, 'acme', idOf(index));
          if (before === undefined) throw new Error('The account is gone.');
          if (members.email !== null) {
            expect(isEmailTaken(tx, 'acme', members.email, before.id)).toBe(isTaken);
            if (isTaken) return;
          }
          const after = { ...before, ...members, revision: before.revision + 1 };
          updateAccount(tx, before, after, event(after.revision));
          model[index] = after;
        });
      }
      await store.read((tx) => {
        for (const account of model) {
          expect(findAccount(tx, 'acme', account.id)).toEqual(account);
          const others = model.filter(
            (other) =>
              other !== account && isActiveAccount(other) && other.roles.includes('SuperAdmin'),
          );
          expect(hasOtherSuperAdmin(tx, 'acme', account.id)).toBe(others.length > 0);
        }
      });
    }),
    { numRuns: 50 },
  );
});
