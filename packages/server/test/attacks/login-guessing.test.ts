/**
 * Guessing names and passwords (OWASP API2:2023, ASVS 6.3.1 and 6.3.8): responses, counts and
 * hashes do not reveal whether a name exists.
 */
import { inMemoryStore, type PasswordHasher } from '@agentkeep/core';
import { createAdmin } from '@agentkeep/core/operator';
import { quickPasswords } from '@agentkeep/core/testing';
import { expect, test } from 'vitest';
import { outcome, result } from '@agentkeep/contract-cases/answer';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { type Fixture, tenant } from '@agentkeep/contract-cases/fixture';
import type { Driver } from '@agentkeep/contract-cases/transport';
import { PASSWORD, tokens } from '@agentkeep/contract-cases/session-fixture';

/** Returns a hasher that counts and is otherwise as fast as the tests' hashers. */
function counting(): { hasher: PasswordHasher; verified: () => number } {
  let verified = 0;
  const hasher: PasswordHasher = {
    hash: (password) => quickPasswords.hash(password),
    verify: (stored, password) => {
      verified += 1;
      return quickPasswords.verify(stored, password);
    },
  };
  return {
    hasher,
    verified: () => {
      const count = verified;
      verified = 0;
      return count;
    },
  };
}

/** Makes accounts of the tenant, most of them unable to log in, each for another reason. */
async function people(t: Fixture): Promise<void> {
  const make = (username: string, credentialId?: string) =>
    createAdmin(t.keep, { username, password: PASSWORD, tenantId: 'acme', credentialId });
  const agent = await t.agent();
  await createAdmin(t.keep, { username: 'root', password: PASSWORD });
  await make('chief');
  await make('active');
  await make('bound', agent.id);
  const document = { username: 'chief', password: PASSWORD, tenant_id: 'acme' };
  const { access_token } = result(await t.transport('authLogin', undefined, { document }));
  const inactive = { id: (await make('inactive')).id, document: { is_active: false } };
  result(await t.transport('updateUser', access_token, inactive));
  const deleted = { id: (await make('deleted')).id };
  result(await t.transport('deleteUser', access_token, deleted));
  const member = { username: 'disabled', password: PASSWORD };
  const { id } = result(await t.transport('createUser', access_token, { document: member }));
  const revision = { contract_version: 1, expected_revision: 1 };
  result(await t.admin.call('disableTenantLoginAccount', { id, document: revision }));
  result(await t.admin.revoke(agent.id, 1));
}

/** Calls of every login route for a name of the tenant, with the right password if there is one. */
const routes = {
  authLogin: (username: string, tenant_id: string, password: string) => ({
    document: { username, password, tenant_id },
  }),
  loginTenant: (username: string, tenant_id: string, password: string) => ({
    document: { contract_version: 1, username, password, tenant_id },
  }),
} as const;

/** Names to log in with; even the right password fails for all but `active`. */
const victims: readonly (readonly [name: string, tenant: string, password: string])[] = [
  ['active', 'acme', 'Wrong-horse-1'],
  ['nobody', 'acme', 'Wrong-horse-1'],
  ['active', 'nowhere', 'Wrong-horse-1'],
  ['inactive', 'acme', PASSWORD],
  ['disabled', 'acme', PASSWORD],
  ['deleted', 'acme', PASSWORD],
  ['bound', 'acme', PASSWORD],
  ['ACTIVE', 'acme', PASSWORD],
  ['аctive', 'acme', PASSWORD],
  ['root', 'acme', PASSWORD],
];

async function setUp(driver: Driver) {
  const { hasher, verified } = counting();
  const t = await tenant(driver, inMemoryStore(), { tokens, passwords: hasher });
  await people(t);
  verified();
  return { t, verified };
}

for (const driver of drivers) {
  for (const route of ['authLogin', 'loginTenant'] as const) {
    test(`CON-95 a login does not reveal whether the name exists (${route}, ${driver.name})`, async () => {
      const { t, verified } = await setUp(driver);
      const stories: unknown[] = [];
      for (const [name, tenantId, password] of victims) {
        const told: unknown[] = [];
        for (let attempt = 1; attempt <= 7; attempt += 1) {
          const call = routes[route](name, tenantId, password);
          const { status, body } = await t.transport(route, undefined, call);
          told.push({ status, body, hashes: verified() });
        }
        stories.push(told);
      }
      for (const [index, story] of stories.entries()) {
        expect(story, JSON.stringify(victims[index])).toEqual(stories[0]);
      }
      // Five attempts are checked with one hash each; a locked name costs no hash.
      const hashes = (stories[0] as { hashes: number }[]).map((told) => told.hashes);
      expect(hashes).toEqual([1, 1, 1, 1, 1, 0, 0]);
      await t.keep.close();
    });
  }

  test(`of fifty guesses at once five are checked, and then the right password fails too (${driver.name})`, async () => {
    const { t } = await setUp(driver);
    const guesses = Array.from({ length: 50 }, (_, index) =>
      t.transport('authLogin', undefined, routes.authLogin('active', 'acme', `Wrong-${index}`)),
    );
    const right = t.transport('authLogin', undefined, routes.authLogin('active', 'acme', PASSWORD));
    const outcomes = (await Promise.all([...guesses, right])).map(outcome);
    const times = (wanted: string) => outcomes.filter((each) => each === wanted).length;
    expect([times('401 invalid_login'), times('429 account_locked')]).toEqual([5, 46]);
    await t.keep.close();
  });
}
