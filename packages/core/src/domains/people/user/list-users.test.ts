/** A list of users passes deleted accounts, of which an authority can have any number. */
import { expect, test } from 'vitest';
import { runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { createAdmin } from '../../../operator.js';
import type { Store } from '../../../storage/store/store.js';
import { storeOver } from '../../../storage/store-testing/store-over.js';
import { quickPasswords } from '../../../testing/quick-passwords.js';
import { storeNewAccount } from '../account/new-account.js';
import { storeDeletion } from './change-account.js';
import { testStore } from '@agentkeep/testkit/test-store';

const DELETED = 600;
const PASSWORD = 'Correct-Horse-7';

test('it reads them in several transactions, and shows every other account', async () => {
  const inner = testStore();
  let reads = 0;
  const store: Store = storeOver(inner, {
    read: (body) => {
      reads += 1;
      return inner.read(body);
    },
  });
  await using keep = await openKeep({ store, passwords: quickPasswords });
  await createAdmin(keep, { username: 'a', password: PASSWORD });
  await createAdmin(keep, { username: 'z', password: PASSWORD });
  // A body may run more than once, so its ids are made before it.
  const ids = Array.from({ length: DELETED }, runtimeOf(keep).newId);
  await runtimeOf(keep).store.transact((tx) => {
    const members = { authority: '', email: null, roles: [], credentialId: null, nowMs: 1 };
    for (const [index, id] of ids.entries()) {
      const made = { ...members, id, username: `m${String(index)}`, passwordHash: 'h' };
      storeDeletion(tx, storeNewAccount(tx, made), {
        actorId: id,
        nowMs: 2,
        record: () => undefined,
      });
    }
  });
  const { agent } = await keep.logIn({ username: 'a', password: PASSWORD });
  reads = 0;
  const { users, next_cursor } = await agent.users.listPage();
  expect(users.map(({ username }) => username)).toEqual(['a', 'z']);
  expect(next_cursor).toBeNull();
  // One of them proves the caller.
  expect(reads).toBeGreaterThanOrEqual(3);
  const first = await agent.users.listPage({ limit: 1 });
  expect(first.users.map(({ username }) => username)).toEqual(['a']);
  const second = await agent.users.listPage({ limit: 1, cursor: first.next_cursor ?? '' });
  expect(second.users.map(({ username }) => username)).toEqual(['z']);
});
