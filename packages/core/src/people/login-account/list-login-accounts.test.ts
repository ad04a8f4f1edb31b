/**
 * The size of a page of accounts with long histories (docs/contract/directory.md#dir-c52).
 */
import { expect, test } from 'vitest';
import { accountSubspaces, findAccount, updateAccount } from '../account/account-store.js';
import { type Keep, runtimeOf } from '../../keep.js';
import { openKeep } from '../../open-keep.js';
import { bootstrapTenant } from '../../operator.js';
import { quickPasswords } from '../../testing/quick-passwords.js';
import { testStore } from '@agentkeep/testkit/test-store';

/** Two histories of this length fit into 4 MiB, three don't. */
const REVISIONS = 12_000;
const ACCOUNTS = 3;

test('52 a page ends at 4 MiB, and its cursor goes on', async () => {
  const store = testStore();
  await using keep = await openKeep({ store, passwords: quickPasswords });
  const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
  const { loginAccounts } = await keep.authenticate(made.secret);
  const credentialId = made.credential.id;
  for (let index = 0; index < ACCOUNTS; index += 1) {
    const person = { username: `ann-${index}`, password: 'Correct-Horse-7' };
    const { id } = await loginAccounts.create({ ...person, credentialId });
    await grow(keep, id);
  }
  expect((await loginAccounts.listPage()).items).toHaveLength(2);
  const names: string[] = [];
  for await (const { username, history } of loginAccounts.list()) {
    expect(history).toHaveLength(REVISIONS);
    names.push(username);
  }
  expect(names).toHaveLength(ACCOUNTS);
});

/** Gives an account a long history, as many changes of its e-mail address would. */
async function grow(keep: Keep, id: string): Promise<void> {
  await runtimeOf(keep).store.transact((tx) => {
    const before = findAccount(tx, 'acme', id);
    if (before === undefined) throw new Error('The account is gone.');
    const event = (revision: number) =>
      ({
        revision,
        action: 'login_account_updated',
        actor_id: id,
        at_millis: Number.MAX_SAFE_INTEGER,
      }) as const;
    for (let revision = 2; revision < REVISIONS; revision += 1) {
      accountSubspaces.accountEvents.put(tx, event(revision), 'acme', id, revision);
    }
    updateAccount(tx, before, { ...before, revision: REVISIONS }, event(REVISIONS));
  });
}
