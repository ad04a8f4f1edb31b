/**
 * API keys under their administrators: the bound, lists, revocation, and what a revoke-all ends
 * (docs/contract/api-keys.md#key-25).
 */
import type { CreatedApiKey } from '@agentkeep/core';
import { expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { Party, type UserFixture, withUsers } from '../users/user-fixture.js';

const DAY = 86_400_000;
const LIVE_MAX = 64;

async function keyOf(party: Party, members: object = {}): Promise<CreatedApiKey> {
  return result(await party.call('createApiKey', { document: { name: 'ci', ...members } }));
}

/** Returns a member of the tenant with a key, and the same account by the key. */
async function holder(users: UserFixture, username: string, members: object = {}) {
  const person = await users.member(username, members);
  const key = await keyOf(person);
  return { person, key, byKey: new Party(users.fixture.transport, key.key, person.id) };
}

withUsers('KEY-25, CON-167 an account has at most 64 live keys', async (users) => {
  const ann = await users.member('ann');
  const days = (count: number) => ({ expires_in_days: count });
  const [first] = [await keyOf(ann, days(1)), await keyOf(ann, days(1))];
  for (let made = 2; made < LIVE_MAX; made += 1) await keyOf(ann, days(3));
  const another = () => ann.outcome('createApiKey', { document: { name: 'one more' } });
  expect(await another()).toBe('409 api_key_limit');
  result(await ann.call('deleteApiKey', { id: first.id }));
  expect(await another()).toBe('201');
  expect(await another()).toBe('409 api_key_limit');
  users.fixture.clock.advance(DAY);
  // The second key has expired.
  const later = await users.login('ann', { tenant_id: 'acme' });
  expect(await later.outcome('createApiKey', { document: { name: 'later' } })).toBe('201');
});

withUsers('KEY-26 of expired keys the newest 64 are kept', async (users) => {
  await users.member('ann');
  let shown: string[] = [];
  for (let day = 0; day < 2; day += 1) {
    const ann = await users.login('ann', { tenant_id: 'acme' });
    for (let made = 0; made < LIVE_MAX; made += 1) await keyOf(ann, { expires_in_days: 1 });
    const { keys } = result(await ann.call('listApiKeys', { parameters: {} }));
    shown = keys.map(({ is_active }) => String(is_active));
    users.fixture.clock.advance(DAY);
  }
  expect(shown.filter((each) => each === 'false')).toHaveLength(LIVE_MAX);
  const ann = await users.login('ann', { tenant_id: 'acme' });
  await keyOf(ann);
  const { keys } = result(await ann.call('listApiKeys', { parameters: {} }));
  expect(keys).toHaveLength(LIVE_MAX + 1);
});

withUsers('KEY-27 administrators list and revoke keys of accounts they manage', async (users) => {
  const { chief, root } = users;
  const { person, key, byKey } = await holder(users, 'ann');
  const other = await holder(users, 'bob');
  const { id } = person;
  const tenancy = { parameters: { tenant_id: 'acme' } };
  const { keys } = result(await chief.call('listUserApiKeys', { id, parameters: {} }));
  expect(keys).toMatchObject([{ id: key.id, prefix: key.prefix, is_active: true }]);
  expect(JSON.stringify(keys)).not.toContain(key.key);
  expect(result(await root.call('listUserApiKeys', { id, ...tenancy })).keys).toEqual(keys);
  const document = { key_id: key.id };
  // A key of another account, and an unknown one.
  for (const key_id of [other.key.id, unknownId]) {
    const wrong = { id, document: { key_id } };
    expect(await chief.outcome('revokeUserApiKey', wrong)).toBe('404 not_found');
  }
  for (const caller of [other.person, other.byKey]) {
    expect(await caller.outcome('listUserApiKeys', { id })).toBe(refused.forbidden);
    expect(await caller.outcome('revokeUserApiKey', { id, document })).toBe(refused.forbidden);
  }
  expect(await byKey.isAlive()).toBe(true);
  result(await chief.call('revokeUserApiKey', { id, document }));
  expect(await byKey.isAlive()).toBe(false);
  expect(await person.isAlive()).toBe(true);
  expect(await other.byKey.isAlive()).toBe(true);
  expect(await chief.outcome('revokeUserApiKey', { id, document })).toBe('404 not_found');
  const [event] = await chief.events({ event_type: 'api_key_revoked' });
  expect(event).toMatchObject({
    user_id: chief.id,
    resource: `api_key:${key.id}`,
    metadata: { key_id: key.id, user_id: id },
  });
});

withUsers('KEY-27 an Admin reaches no keys of a SuperAdmin', async (users) => {
  const admin = await users.member('adam', { roles: ['Admin'] });
  const { id } = users.chief;
  const key = await keyOf(users.chief);
  expect(await admin.outcome('listUserApiKeys', { id })).toBe(refused.forbidden);
  const document = { key_id: key.id };
  expect(await admin.outcome('revokeUserApiKey', { id, document })).toBe(refused.forbidden);
});

withUsers('SES-99, KEY-22, SES-88 revoke-all ends API keys where it says so', async (users) => {
  const { chief } = users;
  const cases: readonly (readonly [document: object, ends: boolean])[] = [
    [{}, false],
    [{ reason: 'audit' }, false],
    [{ reason: 'security_incident', include_api_keys: false }, false],
    [{ reason: 'security_incident' }, true],
    [{ include_api_keys: true }, true],
  ];
  for (const [index, [members, ends]] of cases.entries()) {
    const { person, byKey, key } = await holder(users, `user-${String(index)}`);
    const document = { user_id: person.id, ...members };
    result(await chief.call('revokeAllTokens', { document }));
    expect(await person.isAlive()).toBe(false);
    expect(await byKey.isAlive(), JSON.stringify(members)).toBe(!ends);
    const revoked = await chief.events({ event_type: 'api_key_revoked' });
    const isTold = revoked.some(({ metadata }) => metadata['key_id'] === key.id);
    expect(isTold, JSON.stringify(members)).toBe(ends);
  }
});

withUsers('CON-64 a global administrator names the tenant of a revoke-all', async (users) => {
  const { root, chief } = users;
  const { person } = await holder(users, 'ann');
  const document = { user_id: person.id };
  const call = (party: Party, tenant_id: string) =>
    party.outcome('revokeAllTokens', { parameters: { tenant_id }, document });
  expect(await root.outcome('revokeAllTokens', { document })).toBe('404 not_found');
  expect(await call(root, 'nowhere')).toBe(refused.noTenant);
  expect(await call(chief, 'nowhere')).toBe(refused.forbidden);
  expect(await person.isAlive()).toBe(true);
  expect(await call(root, 'acme')).toBe('200');
  expect(await person.isAlive()).toBe(false);
  const answer = await chief.call('revokeAllTokens', {
    parameters: { tenant_id: 'acme' },
    document,
  });
  expect(outcome(answer)).toBe('200');
});
