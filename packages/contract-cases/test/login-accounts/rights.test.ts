/**
 * Who may change which login account, and the effects of disabling one
 * (docs/contract/login-accounts.md#log-26).
 */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { inBothViews, inView, lost, OTHER_PASSWORD } from './login-account-fixture.js';

describe('accounts that hold a role with rights', () => {
  inView(
    'tenant',
    'LOG-C47, CON-73 cannot be managed with credential_admin alone',
    async (view) => {
      for (const role of ['Admin', 'SuperAdmin'] as const) {
        const { id } = await view.admins(role.toLowerCase(), { role });
        expect(outcome(await view.password(id, 1, OTHER_PASSWORD))).toBe(refused.forbidden);
        expect(outcome(await view.password(id, 9, 'weak'))).toBe(refused.forbidden);
        expect(outcome(await view.disable(id, 1))).toBe(refused.forbidden);
        expect(outcome(await view.inspect(id))).toBe('200');
      }
    },
  );

  inView('tenant', 'manage themselves when bound to a credential_admin', async (view) => {
    const { id } = await view.admins('boss', { role: 'Admin', credentialId: view.admin.id });
    const peer = await view.admins('peer', { role: 'Admin', credentialId: view.admin.id });
    const boss = await view.session('boss');
    expect(outcome(await view.password(peer.id, 1, OTHER_PASSWORD, boss))).toBe(refused.forbidden);
    expect(outcome(await view.disable(peer.id, 1, boss))).toBe(refused.forbidden);
    const { account } = result(await view.password(id, 1, OTHER_PASSWORD, boss));
    expect(account.history.at(-1)?.actor_id).toBe(view.admin.id);
    const again = await view.session('boss', OTHER_PASSWORD);
    expect(outcome(await view.disable(id, 2, again))).toBe('200');
    expect(await view.identity(again)).toBe(refused.unauthorized);
    const key = await view.key();
    const plain = await view.admins('plain', { role: 'Admin', credentialId: key.id });
    const session = await view.session('plain');
    expect(outcome(await view.password(plain.id, 1, OTHER_PASSWORD, session))).toBe(
      refused.forbidden,
    );
  });

  inView('tenant', 'are managed by a SuperAdmin bound to a credential_admin', async (view) => {
    const { id } = await view.admins('boss', { role: 'Admin' });
    await view.admins('chief', { credentialId: view.admin.id });
    const chief = await view.session('chief');
    expect(outcome(await view.password(id, 1, OTHER_PASSWORD, chief))).toBe('200');
    expect(outcome(await view.disable(id, 2, chief))).toBe('200');
  });

  inView('global', 'are managed by the master, as a credential or an account', async (view) => {
    const [one, two] = [await view.admins('one'), await view.admins('two', { role: 'Admin' })];
    await view.admins('three');
    expect(outcome(await view.password(one.id, 1, OTHER_PASSWORD))).toBe('200');
    await view.made('chief', view.admin);
    const chief = await view.session('chief');
    expect(outcome(await view.password(two.id, 1, OTHER_PASSWORD, chief))).toBe('200');
    expect(outcome(await view.disable(one.id, 2, chief))).toBe('200');
  });

  inView(
    'global',
    'USR-C35, LOG-42, CON-86 the last active SuperAdmin cannot be disabled',
    async (view) => {
      const one = await view.admins('one');
      expect(outcome(await view.disable(one.id, 1))).toBe('409 last_admin');
      expect(outcome(await view.disable(one.id, 2))).toBe(refused.stale);
      const two = await view.admins('two');
      const answers = await Promise.all([view.disable(one.id, 1), view.disable(two.id, 1)]);
      expect(answers.map(outcome).sort()).toEqual(['200', '409 last_admin']);
      const left = answers[0].status === 200 ? two : one;
      expect((await view.account(left)).disabled_at_millis).toBeNull();
      expect(outcome(await view.password(left.id, 1, OTHER_PASSWORD))).toBe('200');
    },
  );

  inView('tenant', 'USR-C35 the last SuperAdmin of a tenant can be disabled', async (view) => {
    const { id } = await view.admins('chief', { credentialId: view.admin.id });
    const chief = await view.session('chief');
    expect(outcome(await view.disable(id, 1, chief))).toBe('200');
  });
});

describe('disable', () => {
  inBothViews('USR-28, LOG-28, CON-87 is final', async (view) => {
    const root = await view.root();
    const { id } = await view.made('ann', view.admin);
    result(await view.disable(id, 1));
    const user = result(await view.call('getUser', { id }, root));
    expect(user.is_active).toBe(false);
    const gone = '409 account_disabled';
    const put = { id, document: { is_active: true } };
    expect(await view.outcome('updateUser', put, root)).toBe(gone);
    expect(await view.outcome('deleteUser', { id }, root)).toBe(gone);
    const reset = { id, document: { new_password: OTHER_PASSWORD } };
    expect(await view.outcome('resetPassword', reset, root)).toBe(gone);
    expect(outcome(await view.login('ann'))).toBe(lost);
  });

  inBothViews('LOG-36 does not affect the credential', async (view) => {
    const key = await view.key();
    const { id } = await view.made('ann', key);
    result(await view.disable(id, 1));
    expect(await view.identity(key)).toBe('200');
    expect(outcome(await view.create({ username: 'bob', credential_id: key.id }))).toBe('201');
  });

  inBothViews('LOG-30 an account that is only inactive can be administrated', async (view) => {
    const root = await view.root();
    const { id } = await view.made('ann', view.admin);
    result(await view.call('updateUser', { id, document: { is_active: false } }, root));
    expect((await view.account({ id })).disabled_at_millis).toBeNull();
    expect(outcome(await view.login('ann'))).toBe(lost);
    expect(outcome(await view.password(id, 2, OTHER_PASSWORD))).toBe('200');
    expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe(lost);
    result(await view.call('updateUser', { id, document: { is_active: true } }, root));
    expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe('200');
    expect(outcome(await view.disable(id, 4))).toBe('200');
  });
});
