/** API keys and the accounts behind them (docs/contract/users.md). */
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { OTHER_PASSWORD, PASSWORD, Party, type UserFixture, withUsers } from './user-fixture.js';

/** Returns an account, and the same account by its API key. */
async function keyHolder(users: UserFixture, username: string): Promise<[Party, Party]> {
  const person = await users.person(username);
  const { key } = result(await person.call('createApiKey', { document: { name: 'ci' } }));
  return [person, new Party(users.fixture.transport, key, person.id)];
}

withUsers('KEY-C30 a key reads and changes the record of its account', async (users) => {
  const [ann, byKey] = await keyHolder(users, 'ann');
  expect(result(await byKey.get(ann.id)).username).toBe('ann');
  expect(result(await byKey.update(ann.id, { email: 'a@x.test' })).email).toBe('a@x.test');
  expect(outcome(await byKey.get(users.root.id))).toBe(refused.forbidden);
  expect(outcome(await byKey.update(ann.id, { roles: ['Admin'] }))).toBe(refused.forbidden);
});

// KEY-14, KEY-22
withUsers('CON-62 a key survives new passwords and has the roles of its account', async (users) => {
  const { root } = users;
  const [ann, byKey] = await keyHolder(users, 'ann');
  result(await root.reset(ann.id, OTHER_PASSWORD));
  expect(await ann.isAlive()).toBe(false);
  expect(outcome(await byKey.changePassword(OTHER_PASSWORD, PASSWORD))).toBe('200');
  expect(await users.loginOutcome('ann')).toBe('200');
  expect(outcome(await byKey.list())).toBe(refused.forbidden);
  result(await root.setRoles(ann.id, ['Admin']));
  expect(await byKey.usernames()).toEqual(['ann', 'root']);
});

withUsers(
  'USR-C23, KEY-18 a key is refused while its account is inactive, and ends with it',
  async (users) => {
    const { root } = users;
    const [ann, byKey] = await keyHolder(users, 'ann');
    result(await root.update(ann.id, { is_active: false }));
    expect(await byKey.isAlive()).toBe(false);
    result(await root.update(ann.id, { is_active: true }));
    expect(await byKey.isAlive()).toBe(true);
    result(await root.delete(ann.id));
    expect(await byKey.isAlive()).toBe(false);
    const revoked = await root.events({ event_type: 'api_key_revoked' });
    expect(revoked.map(({ user_id }) => user_id)).toEqual([root.id]);
  },
);

withUsers('USR-52 all keys of a deleted account go with it', async (users) => {
  const { root } = users;
  const ann = await users.person('ann');
  const made = await Promise.all(
    Array.from({ length: 64 }, () => ann.call('createApiKey', { document: { name: 'ci' } })),
  );
  const keys = made.map((each) => result(each));
  result(await root.delete(ann.id));
  for (const { key } of keys) {
    expect(await new Party(users.fixture.transport, key, ann.id).isAlive()).toBe(false);
  }
  const revoked = await root.events({ event_type: 'api_key_revoked', limit: 100 });
  expect(revoked.map(({ resource }) => resource).sort()).toEqual(
    keys.map(({ id }) => `api_key:${id}`).sort(),
  );
});
