/** Concurrent changes while a password is hashed, and changes of disabled accounts. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Agent } from '../../../client/agent.js';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { accountHistory, findAccount, updateAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { type ApiKeyOwner, insertApiKey, listApiKeysOf } from '../api-key/api-key-store.js';
import { noAudit } from '../../../kernel/audit-log/open-audit.js';
import { Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { operations } from '../../../domains.js';
import { createAdmin } from '../../../operator.js';
import { embeddedInput } from '../../../kernel/input/input.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { quickPasswords } from '../../../testing/quick-passwords.js';
import { testStore } from '@agentkeep/testkit/test-store';

const PASSWORD = 'Correct-Horse-7';
const OTHER_PASSWORD = 'Battery.Staple8';

let keep: Keep;
/** Runs once during the next hash. */
let meanwhile: (() => Promise<unknown>) | undefined;

beforeEach(async () => {
  meanwhile = undefined;
  const passwords = {
    ...quickPasswords,
    hash: async (password: string) => {
      const happening = meanwhile;
      meanwhile = undefined;
      await happening?.();
      return quickPasswords.hash(password);
    },
  };
  keep = await openKeep({ store: testStore(), passwords });
  await createAdmin(keep, { username: 'root', password: PASSWORD });
});

afterEach(() => keep.close());

async function logIn(username: string, password = PASSWORD): Promise<Agent> {
  const source = embeddedInput({ document: { username, password } });
  const { access_token } = await keep.invoke(operations.authLogin, source, {});
  return keep.authenticate(access_token);
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'none',
    (error: unknown) => (error as AgentkeepError).code,
  );

async function stored(id: string): Promise<StoredAccount> {
  const account = await runtimeOf(keep).store.read((tx) => findAccount(tx, INSTALLATION, id));
  if (account === undefined) throw new Error('There is no such account.');
  return account;
}

describe('while a password is hashed', () => {
  test('its account may be deleted', async () => {
    const root = await logIn('root');
    const ann = await root.users.create({ username: 'ann', password: PASSWORD });
    meanwhile = () => root.users.delete(ann.id);
    expect(await codeOf(root.users.resetPassword(ann.id, OTHER_PASSWORD))).toBe('target_not_found');
  });

  test('the administrator may lose its role, or the right that the change takes', async () => {
    const root = await logIn('root');
    const ann = await root.users.create({ username: 'ann', password: PASSWORD });
    const boss = await root.users.create({ username: 'b', password: PASSWORD, roles: ['Admin'] });
    const bossAgent = await logIn('b');
    meanwhile = () => root.users.setRoles(boss.id, []);
    const reset = bossAgent.users.resetPassword(ann.id, OTHER_PASSWORD);
    expect(await codeOf(reset)).toBe('unauthorized');
    await root.users.setRoles(boss.id, ['Admin']);
    const again = await logIn('b');
    meanwhile = () => root.users.setRoles(ann.id, ['Admin']);
    expect(await codeOf(again.users.resetPassword(ann.id, OTHER_PASSWORD))).toBe('forbidden');
    expect((await stored(ann.id)).revision).toBe(2);
  });

  test('the name or the address of a new account may be taken', async () => {
    const root = await logIn('root');
    const ann = { username: 'ann', password: PASSWORD, email: 'a@x.test' };
    meanwhile = () => root.users.create(ann);
    expect(await codeOf(root.users.create({ ...ann, email: null }))).toBe('already_exists');
    meanwhile = () => root.users.create({ username: 'c', password: PASSWORD, email: 'c@x.test' });
    const bob = { username: 'bob', password: PASSWORD, email: 'C@x.test' };
    expect(await codeOf(root.users.create(bob))).toBe('already_exists');
    const names: string[] = [];
    for await (const { username } of root.users.list()) names.push(username);
    expect(names).toEqual(['ann', 'c', 'root']);
  });

  test('the session of the caller may end, and then the password stays', async () => {
    const root = await logIn('root');
    const ann = await root.users.create({ username: 'ann', password: PASSWORD });
    const annAgent = await logIn('ann');
    meanwhile = () => root.users.update(ann.id, { is_active: false });
    const change = annAgent.users.changeOwnPassword(PASSWORD, OTHER_PASSWORD);
    expect(['invalid_login', 'unauthorized']).toContain(await codeOf(change));
    await root.users.update(ann.id, { is_active: true });
    expect(await codeOf(logIn('ann', OTHER_PASSWORD))).toBe('invalid_login');
    expect(await codeOf(logIn('ann'))).toBe('none');
  });

  test('the queue may be full, and then nothing changes', async () => {
    const root = await logIn('root');
    const ann = await root.users.create({ username: 'ann', password: PASSWORD });
    const busy = () => Promise.reject(new AgentkeepError('login_busy'));
    const attempts = [
      () => root.users.resetPassword(ann.id, OTHER_PASSWORD),
      () => root.users.update(ann.id, { password: OTHER_PASSWORD, email: 'a@x.test' }),
      () => root.users.create({ username: 'bob', password: PASSWORD }),
      () => root.users.changeOwnPassword(PASSWORD, OTHER_PASSWORD),
    ];
    for (const attempt of attempts) {
      meanwhile = busy;
      expect(await codeOf(attempt())).toBe('login_busy');
    }
    expect((await stored(ann.id)).revision).toBe(1);
    expect((await root.users.listPage()).users).toHaveLength(2);
  });
});

test('a disabled account is shown inactive and cannot be changed', async () => {
  const root = await logIn('root');
  const { id } = await root.users.create({ username: 'ann', password: PASSWORD });
  const before = await stored(id);
  const disabled = { ...before, revision: 2, disabledAtMillis: 1 };
  const event = {
    revision: 2,
    action: 'login_account_disabled',
    actor_id: id,
    at_millis: 1,
  } as const;
  await runtimeOf(keep).store.transact((tx) => {
    updateAccount(tx, before, disabled, event);
  });
  expect((await root.users.get(id)).is_active).toBe(false);
  expect((await root.users.update(id, {})).is_active).toBe(false);
  const changes = [
    root.users.update(id, { email: 'a@x.test' }),
    root.users.update(id, { is_active: true }),
    root.users.update(id, { is_active: false }),
    root.users.setRoles(id, ['Read']),
    root.users.resetPassword(id, OTHER_PASSWORD),
    root.users.delete(id),
  ];
  expect(await Promise.all(changes.map(codeOf))).toEqual(changes.map(() => 'account_disabled'));
  expect(await stored(id)).toEqual(disabled);
});

test('deleting an account deletes its keys, each with an event', async () => {
  const root = await logIn('root');
  const { id: accountId } = await root.users.create({ username: 'ann', password: PASSWORD });
  const owner: ApiKeyOwner = { authority: INSTALLATION, accountId };
  const { store, newId } = runtimeOf(keep);
  const ids = [newId(), newId()];
  await store.transact((tx) => {
    for (const [index, id] of ids.entries()) {
      insertApiKey(tx, {
        ...owner,
        id,
        name: 'ci',
        prefix: 'ak_live_Ab3x',
        digest: new Uint8Array(32).fill(index),
        createdAtMillis: 1,
        expiresAtMillis: null,
        lastUsedMillis: null,
      });
    }
  });
  await root.users.delete(accountId);
  const left = await store.read((tx) => listApiKeysOf(tx, owner, { after: undefined, limit: 9 }));
  expect(left).toEqual([]);
  const { events } = await root.audit.queryPage({ eventType: 'api_key_revoked' });
  expect(events.map(({ resource, metadata }) => [resource, metadata['key_id']]).reverse()).toEqual(
    ids.map((id) => [`api_key:${id}`, id]),
  );
});

test('AUD-C56 a change whose event cannot be stored is not made', async () => {
  const root = await logIn('root');
  const { id } = await root.users.create({ username: 'ann', password: PASSWORD });
  const before = await stored(id);
  const runtime = runtimeOf(keep);
  const source = embeddedInput({ document: { username: 'root', password: PASSWORD } });
  const { access_token: token } = await keep.invoke(operations.authLogin, source, {});
  const audit = {
    ...noAudit,
    isEnabled: true,
    changed: () => {
      throw new AgentkeepError('store_full');
    },
  };
  const parts = {
    sweepers: [],
    probe: { isUsable: () => keep.isReady() },
    backlog: { latest: keep.backlog() },
    waiting: () => keep.waiting(),
    closing: [],
  };
  const full = new Keep({ ...runtime, audit }, parts);
  const { users } = await full.authenticate(token);
  const changes = [
    users.create({ username: 'bob', password: PASSWORD }),
    users.update(id, { email: 'a@x.test' }),
    users.setRoles(id, []),
    users.resetPassword(id, OTHER_PASSWORD),
    users.changeOwnPassword(PASSWORD, OTHER_PASSWORD),
    users.delete(id),
  ];
  expect(await Promise.all(changes.map(codeOf))).toEqual(changes.map(() => 'store_full'));
  expect(await stored(id)).toEqual(before);
  expect((await root.users.listPage()).users).toHaveLength(2);
  expect(await codeOf(logIn('root'))).toBe('none');
});

test('histories name the acting credential, or the account without one', async () => {
  const root = await logIn('root');
  const ann = await root.users.create({ username: 'ann', password: PASSWORD });
  const annAgent = await logIn('ann');
  await annAgent.users.update(ann.id, { email: 'a@x.test' });
  await annAgent.users.changeOwnPassword(PASSWORD, OTHER_PASSWORD);
  await root.users.update(ann.id, { password: PASSWORD, roles: ['Write'] });
  await root.users.delete(ann.id);
  const account = await stored(ann.id);
  const history = await runtimeOf(keep).store.read((tx) => accountHistory(tx, account));
  const { users } = await root.users.listPage();
  const rootId = users[0]?.id;
  expect(history.map(({ action, actor_id }) => [action, actor_id])).toEqual([
    ['login_account_created', rootId],
    ['login_account_updated', ann.id],
    ['login_password_changed', ann.id],
    ['login_password_changed', rootId],
    ['login_account_disabled', rootId],
  ]);
  expect(account).toMatchObject({ email: null, roles: ['Write'], revision: 5 });
});
