/**
 * Changes of an actor, its session or an account between the checks of a call and its commit
 * (docs/contract/login-accounts.md#log-52).
 */
import type { LoginAccount } from '@agentkeep/core/operator';
import { eventually } from '@agentkeep/testkit/eventually';
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import {
  type Holder,
  lost,
  OTHER_PASSWORD,
  PASSWORD,
  raceInBothViews,
  type View,
} from './login-account-fixture.js';

type Change = (
  view: View,
  target: LoginAccount,
  by: Holder,
) => Promise<{ readonly status: number; readonly body: unknown }>;

const changes: Readonly<Record<string, Change>> = {
  create: (view, { credential_id }, by) => view.create({ username: 'new', credential_id }, by),
  password: (view, { id }, by) => view.password(id, 1, OTHER_PASSWORD, by),
  disable: (view, { id }, by) => view.disable(id, 1, by),
};

/** Expects that no change of `ann` is stored. */
async function expectNothingStored(view: View): Promise<void> {
  expect(outcome(await view.login('new'))).toBe(lost);
  const { session } = result(await view.login('ann'));
  expect(session.account.revision).toBe(1);
}

for (const [name, change] of Object.entries(changes)) {
  describe(name, () => {
    raceInBothViews('LOG-58 a session that is logged out meanwhile is 403', async (view, gate) => {
      const ann = await view.made('ann', await view.key());
      await view.made('chief', view.admin);
      const session = await view.session('chief');
      gate.before = async () => result(await view.call('logout', {}, session));
      expect(outcome(await change(view, ann, session))).toBe(refused.forbidden);
      await expectNothingStored(view);
    });

    raceInBothViews('an account whose proofs end meanwhile is 403', async (view, gate) => {
      const ann = await view.made('ann', await view.key());
      const chief = await view.made('chief', view.admin);
      const session = await view.session('chief');
      gate.before = async () =>
        result(await view.call('revokeAllTokens', { document: { user_id: chief.id } }));
      expect(outcome(await change(view, ann, session))).toBe(refused.forbidden);
      const jwt = await view.jwt('chief');
      const apiKey = await usedKey(view, jwt);
      gate.before = async () => result(await view.password(chief.id, 1, OTHER_PASSWORD));
      expect(outcome(await change(view, ann, jwt))).toBe(refused.forbidden);
      gate.before = async () => result(await view.disable(chief.id, 2));
      expect(outcome(await change(view, ann, apiKey))).toBe(refused.forbidden);
      await expectNothingStored(view);
    });

    raceInBothViews('LOG-58 a credential that is rotated meanwhile is 409', async (view, gate) => {
      const ann = await view.made('ann', await view.key());
      gate.before = async () => result(await view.rotate(view.admin));
      expect(outcome(await change(view, ann, view.admin))).toBe(refused.stale);
      await expectNothingStored(view);
    });

    raceInBothViews('and so is that of an account with an API key', async (view, gate) => {
      const ann = await view.made('ann', await view.key());
      await view.made('chief', view.admin);
      const apiKey = await usedKey(view, await view.session('chief'));
      gate.before = async () => result(await view.rotate(view.admin));
      expect(outcome(await change(view, ann, apiKey))).toBe(refused.stale);
      await expectNothingStored(view);
    });
  });
}

for (const [name, change] of Object.entries(changes)) {
  if (name === 'create') continue;
  raceInBothViews(`${name} with a role that is lost meanwhile is 409`, async (view, gate) => {
    const ann = await view.admins('ann', { role: 'Admin', credentialId: (await view.key()).id });
    const chief = await view.admins('chief', { credentialId: view.admin.id });
    const root = await view.root();
    const apiKey = await usedKey(view, await view.session('chief'));
    const demoted = { id: chief.id, document: { roles: ['Read'] } };
    gate.before = async () => result(await view.call('setUserRoles', demoted, root));
    expect(outcome(await change(view, ann, apiKey))).toBe(refused.stale);
    await expectNothingStored(view);
  });
}

/** Returns an API key whose first use is stored, which is a transaction of its own. */
async function usedKey(view: View, by: Holder): Promise<Holder> {
  const apiKey = await view.apiKey(by);
  expect(await view.identity(apiKey)).toBe('200');
  await eventually(async () => {
    expect((await view.t.keep.waiting()).uses).toBe(0);
  });
  return apiKey;
}

describe('a target', () => {
  raceInBothViews('that changes meanwhile is 409', async (view, gate) => {
    const { id } = await view.made('ann', view.admin);
    gate.before = async () => result(await view.disable(id, 1));
    expect(outcome(await view.password(id, 1, OTHER_PASSWORD))).toBe(refused.stale);
    const bob = await view.made('bob', view.admin);
    gate.before = async () => result(await view.password(bob.id, 1, OTHER_PASSWORD));
    expect(outcome(await view.password(bob.id, 1, `${OTHER_PASSWORD}!`))).toBe(refused.stale);
    gate.before = async () => result(await view.password(bob.id, 2, PASSWORD));
    expect(outcome(await view.disable(bob.id, 2))).toBe(refused.stale);
    expect(outcome(await view.login('bob'))).toBe('200');
  });

  raceInBothViews('that is made meanwhile is 409', async (view, gate) => {
    gate.before = () => view.made('ann', view.admin);
    const members = { username: 'ann', password: OTHER_PASSWORD, credential_id: view.admin.id };
    expect(outcome(await view.create(members))).toBe(refused.stale);
    expect(outcome(await view.login('ann'))).toBe('200');
  });

  raceInBothViews('whose credential changes meanwhile is 409', async (view, gate) => {
    const key = await view.key();
    const members = { username: 'ann', credential_id: key.id };
    gate.before = async () => result(await view.rotate(key));
    expect(outcome(await view.create(members))).toBe(refused.stale);
    gate.before = async () => result(await view.revoke(key, 2));
    expect(outcome(await view.create(members))).toBe(refused.stale);
    expect(outcome(await view.login('ann'))).toBe(lost);
  });

  raceInBothViews('of eight changes at one revision, one succeeds', async (view) => {
    const { id } = await view.made('ann', view.admin);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? view.disable(id, 1) : view.password(id, 1, OTHER_PASSWORD),
      ),
    );
    const ends = answers.map(outcome).sort();
    expect(ends[0]).toBe('200');
    for (const end of ends.slice(1)) expect([refused.stale, refused.forbidden]).toContain(end);
    expect((await view.account({ id })).revision).toBe(2);
  });

  raceInBothViews('of eight accounts with one name, one is made', async (view) => {
    const members = { username: 'ann', credential_id: view.admin.id };
    const answers = await Promise.all(Array.from({ length: 8 }, () => view.create(members)));
    expect(answers.map(outcome).sort()).toEqual(['201', ...Array<string>(7).fill(refused.stale)]);
    expect(result(await view.list()).page.items).toHaveLength(1);
  });
});

describe('a login', () => {
  raceInBothViews(
    'of an account that changes meanwhile fails like any other',
    async (view, gate) => {
      const { id } = await view.made('ann', view.admin);
      gate.before = async () => result(await view.password(id, 1, OTHER_PASSWORD));
      const first = await view.login('ann');
      expect(outcome(first)).toBe(lost);
      expect(first.body).toMatchObject({ failed_attempts: 1 });
      gate.before = async () => result(await view.disable(id, 2));
      expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe(lost);
    },
  );

  raceInBothViews(
    'whose credential is rotated meanwhile keeps its session bound to it',
    async (view, gate) => {
      const key = await view.key();
      await view.made('ann', key);
      gate.before = async () => result(await view.rotate(key));
      const session = await view.session('ann');
      expect(await view.identity(session)).toBe('200');
      gate.before = async () => result(await view.revoke(key, 2));
      expect(outcome(await view.login('ann'))).toBe(lost);
    },
  );

  raceInBothViews('LCK-21 during a new lock is refused and not counted', async (view, gate) => {
    await view.made('ann', view.admin);
    gate.before = async () => result(await view.call('lockAccount', { id: 'ann', document: {} }));
    expect(outcome(await view.login('ann', 'wrong'))).toBe('429 account_locked');
    result(await view.call('unlockAccount', { id: 'ann' }));
    expect((await view.login('ann', 'wrong')).body).toMatchObject({ failed_attempts: 1 });
  });
});

describe('a logout', () => {
  raceInBothViews('of a session that ends meanwhile is 401', async (view, gate) => {
    await view.made('ann', view.admin);
    const session = await view.session('ann');
    gate.before = async () => result(await view.call('logout', {}, session));
    expect(await view.outcome('logout', {}, session)).toBe(refused.unauthorized);
    expect(await view.events('logout')).toHaveLength(1);
  });
});
