/** Login accounts: create, inspect and password (docs/contract/login-accounts.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { badTexts, goodNames, unknownId, unseenTexts } from '../harness/documents.js';
import { inBothViews, inView, lost, OTHER_PASSWORD, PASSWORD } from './login-account-fixture.js';

const weak = '400 weak_password';
const isUuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;

describe('create', () => {
  inBothViews(
    'LOG-1, LOG-2, LOG-9, LOG-37 an account is shown with its authority and its history',
    async (view) => {
      const key = await view.key();
      const answer = await view.create({ username: 'ann', credential_id: key.id.toUpperCase() });
      expect(result(answer)).toEqual({
        contract_version: 1,
        account: {
          id: isUuid,
          username: 'ann',
          authority:
            view.kind === 'tenant' ? { kind: 'tenant', tenant_id: 'acme' } : { kind: 'global' },
          credential_id: key.id,
          revision: 1,
          disabled_at_millis: null,
          history: [
            {
              revision: 1,
              action: 'login_account_created',
              actor_id: view.admin.id,
              at_millis: view.t.clock.now(),
            },
          ],
        },
      });
      const { account } = result(answer);
      expect(result(await view.inspect(account.id.toUpperCase())).account).toEqual(account);
      const user = result(await view.call('getUser', { id: account.id }));
      expect(user).toMatchObject({ roles: ['Read'], email: null, credential_id: key.id });
    },
  );

  inView('tenant', 'LOG-C24 a credential of another tenant cannot be bound', async (view) => {
    const foreign = await view.t.foreignAdmin();
    const answer = await view.create({ username: 'ann', credential_id: foreign.id });
    expect(outcome(answer)).toBe(refused.forbidden);
    const master = await view.t.master();
    const global = await view.create({ username: 'ann', credential_id: master.id });
    expect(outcome(global)).toBe(refused.forbidden);
  });

  inView('global', "LOG-C24 a tenant's credential cannot be bound", async (view) => {
    const answer = await view.create({ username: 'ann', credential_id: view.t.admin.id });
    expect(outcome(answer)).toBe(refused.forbidden);
  });

  inView(
    'global',
    'LOG-C25 a full delegate cannot make an account, a session of the master can',
    async (view) => {
      const full = await view.full();
      const members = { username: 'ann', credential_id: full.id };
      expect(outcome(await view.create(members, full))).toBe(refused.forbidden);
      await view.made('chief', view.admin);
      expect(outcome(await view.create(members, await view.session('chief')))).toBe('201');
    },
  );

  inView('tenant', 'LOG-33 only holders of credential_admin make accounts', async (view) => {
    const [full, key] = [await view.full(), await view.key()];
    const members = { username: 'ann', credential_id: key.id };
    expect(outcome(await view.create(members, key))).toBe(refused.forbidden);
    expect(outcome(await view.create(members, full))).toBe('201');
    await view.made('chief', full);
    const session = await view.session('chief');
    expect(outcome(await view.create({ ...members, username: 'bob' }, session))).toBe('201');
  });

  inBothViews('LOG-C26 passwords follow the rule, and have at most 1,024 bytes', async (view) => {
    const members = { credential_id: view.admin.id };
    const long = `Aa1!${'x'.repeat(1_020)}`;
    for (const [username, password, expected] of [
      ['short', 'Aa1!xxxxxxx', weak],
      ['short', 'Aa1!😀😀😀😀😀😀😀', weak],
      ['twelve', 'Aa1!😀😀😀😀😀😀😀😀', '201'],
      ['one', 'Aa1!xxxxxxxx', '201'],
      ['long', long, '201'],
      ['longer', `${long}x`, weak],
      ['plain', 'aa1!xxxxxxxx', weak],
      ['empty', '', weak],
    ] as const) {
      expect(outcome(await view.create({ ...members, username, password }))).toBe(expected);
    }
    expect(outcome(await view.login('long', long))).toBe('200');
    expect(outcome(await view.login('long', `${long}x`))).toBe(refused.invalid);
    expect(outcome(await view.login('absent', `${long}x`))).toBe(refused.invalid);
  });

  inBothViews('LOG-C27 a name stays taken for good', async (view) => {
    const members = { username: 'ann', credential_id: view.admin.id };
    const { id } = result(await view.create(members)).account;
    expect(outcome(await view.create(members))).toBe(refused.stale);
    result(await view.disable(id, 1));
    expect(outcome(await view.create(members))).toBe(refused.stale);
    const { id: other } = await view.made('bob', view.admin);
    const root = await view.root();
    result(await view.call('deleteUser', { id: other }, root));
    expect(outcome(await view.create({ ...members, username: 'bob' }))).toBe(refused.stale);
    expect(outcome(await view.create({ ...members, username: 'Ann' }))).toBe('201');
  });

  inView('tenant', 'one name in two authorities is two accounts', async (view) => {
    const master = await view.t.master();
    const members = { username: 'ann', password: OTHER_PASSWORD, credential_id: master.id };
    const document = { contract_version: 1, ...members };
    const ours = await view.made('ann', view.admin);
    const theirs = result(await master.call('createGlobalLoginAccount', { document })).account;
    expect(theirs.id).not.toBe(ours.id);
    expect(outcome(await view.login('ann'))).toBe('200');
    expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe(lost);
  });

  inBothViews('LOG-C28, LOG-26 a dead credential cannot be bound', async (view) => {
    const [revoked, expired] = [
      await view.key(),
      await view.key({ expires_at_millis: view.t.clock.now() + 1 }),
    ];
    result(await view.revoke(revoked));
    view.t.clock.advance(1);
    for (const credential_id of [revoked.id, expired.id, unknownId]) {
      const answer = await view.create({ username: 'ann', credential_id });
      expect(outcome(answer)).toBe(refused.forbidden);
    }
    for (const credential_id of ['x', '', null, 7, revoked.id.replaceAll('-', '')]) {
      const answer = await view.create({ username: 'ann', credential_id });
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  inBothViews('LOG-35 several accounts can be bound to one credential', async (view) => {
    const key = await view.key();
    await view.made('ann', key);
    await view.made('bob', key);
    expect(await view.identity(await view.session('ann'))).toBe('200');
    expect(await view.identity(await view.session('bob'))).toBe('200');
  });

  inBothViews('LOG-12 names follow the rule for usernames', async (view) => {
    const members = { credential_id: view.admin.id };
    for (const [name, username] of [...badTexts, ...unseenTexts]) {
      expect(outcome(await view.create({ ...members, username })), name).toBe(refused.invalid);
    }
    for (const [name, username] of goodNames) {
      const { account } = result(await view.create({ ...members, username }));
      expect(account.username, name).toBe(username);
      expect(outcome(await view.login(username)), name).toBe('200');
    }
  });

  inBothViews('all members are required, and unknown ones refused', async (view) => {
    const whole: Record<string, unknown> = {
      contract_version: 1,
      username: 'ann',
      password: PASSWORD,
      credential_id: view.admin.id,
    };
    for (const member of Object.keys(whole)) {
      const document = Object.fromEntries(
        Object.entries(whole).filter(([name]) => name !== member),
      );
      expect(await view.outcome(view.names.create, { document }), member).toBe(refused.invalid);
    }
    for (const stray of ['roles', 'email', 'authority', 'tenant_id', 'is_active']) {
      const document = { ...whole, [stray]: null };
      expect(await view.outcome(view.names.create, { document }), stray).toBe(refused.invalid);
    }
    expect(await view.outcome(view.names.create, { document: whole })).toBe('201');
  });
});

describe('inspect', () => {
  inBothViews('LOG-C37 an account of another authority looks like a missing one', async (view) => {
    const foreign = await view.t.foreignAdmin();
    const document = { username: 'eve', password: PASSWORD };
    const { id } = result(await foreign.call('createUser', { document }));
    const answers = [await view.inspect(id), await view.inspect(unknownId)];
    expect(answers.map(outcome)).toEqual([refused.forbidden, refused.forbidden]);
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    for (const each of [id, unknownId]) {
      expect(outcome(await view.password(each, 1, OTHER_PASSWORD))).toBe(refused.forbidden);
      expect(outcome(await view.disable(each, 1))).toBe(refused.forbidden);
    }
    expect(outcome(await view.inspect('x'))).toBe(refused.invalid);
  });

  inBothViews('LOG-28, LOG-40 disabled and deleted accounts are readable', async (view) => {
    const { clock } = view.t;
    const ann = await view.made('ann', view.admin);
    const bob = await view.made('bob', view.admin);
    clock.advance(7);
    const { account } = result(await view.disable(ann.id, 1));
    expect(account).toEqual({
      ...ann,
      revision: 2,
      disabled_at_millis: clock.now(),
      history: [
        ...ann.history,
        {
          revision: 2,
          action: 'login_account_disabled',
          actor_id: view.admin.id,
          at_millis: clock.now(),
        },
      ],
    });
    expect(await view.account(ann)).toEqual(account);
    const root = await view.root();
    result(await view.call('deleteUser', { id: bob.id }, root));
    const deleted = await view.account(bob);
    expect(deleted).toMatchObject({ disabled_at_millis: clock.now(), revision: 2 });
    expect(deleted.history.map(({ action }) => action)).toEqual([
      'login_account_created',
      'login_account_disabled',
    ]);
  });

  inBothViews('LOG-4 changes on the account surface are revisions too', async (view) => {
    const root = await view.root();
    const ann = await view.made('ann', view.admin);
    const { id } = ann;
    const change = (document: object) => view.call('updateUser', { id, document }, root);
    result(await change({ email: 'a@x.test' }));
    result(await change({ is_active: false }));
    result(await change({ is_active: true, password: OTHER_PASSWORD }));
    result(await view.call('setUserRoles', { id, document: { roles: ['Write'] } }, root));
    result(await change({ email: 'a@x.test' }));
    const { revision, history } = await view.account(ann);
    expect(revision).toBe(5);
    expect(history.map(({ action }) => action)).toEqual([
      'login_account_created',
      'login_account_updated',
      'login_account_updated',
      'login_password_changed',
      'login_account_updated',
    ]);
    expect(history.map((event) => event.revision)).toEqual([1, 2, 3, 4, 5]);
  });
});

describe('password', () => {
  inBothViews('LOG-8 an administrator replaces it without knowing the old one', async (view) => {
    const ann = await view.made('ann', await view.key());
    view.t.clock.advance(3);
    const { account } = result(await view.password(ann.id, 1, OTHER_PASSWORD));
    expect(account).toEqual({
      ...ann,
      revision: 2,
      history: [
        ...ann.history,
        {
          revision: 2,
          action: 'login_password_changed',
          actor_id: view.admin.id,
          at_millis: view.t.clock.now(),
        },
      ],
    });
    expect(outcome(await view.login('ann'))).toBe(lost);
    expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe('200');
    expect(outcome(await view.password(ann.id, 2, OTHER_PASSWORD))).toBe('200');
  });

  inBothViews('LOG-C36, CON-83 a stale revision is 409, a disabled account 403', async (view) => {
    const { id } = await view.made('ann', view.admin);
    expect(outcome(await view.password(id, 2, OTHER_PASSWORD))).toBe(refused.stale);
    expect(outcome(await view.disable(id, 2))).toBe(refused.stale);
    result(await view.disable(id, 1));
    for (const revision of [1, 2, 3]) {
      const answer = await view.password(id, revision, OTHER_PASSWORD);
      expect(outcome(answer)).toBe(refused.forbidden);
      expect(outcome(await view.disable(id, revision))).toBe(refused.forbidden);
    }
  });

  inBothViews(
    'INS-C23 revisions are integers up to 2^53 - 1, and 0 never matches',
    async (view) => {
      const { id } = await view.made('ann', view.admin);
      const changes = [
        (revision: unknown) => view.password(id, revision, OTHER_PASSWORD),
        (revision: unknown) => view.disable(id, revision),
      ];
      for (const change of changes) {
        for (const revision of [2 ** 53, 1.5, -1, '1', null]) {
          expect(outcome(await change(revision))).toBe(refused.invalid);
        }
        for (const revision of [0, 2 ** 53 - 1]) {
          expect(outcome(await change(revision))).toBe(refused.stale);
        }
      }
      expect((await view.account({ id })).revision).toBe(1);
    },
  );

  inBothViews(
    'USR-44, AUD-54 a reset clears failures, and ends a lock caused by them',
    async (view) => {
      const { id } = await view.made('ann', view.admin);
      for (let failures = 1; failures <= 5; failures += 1) await view.login('ann', 'wrong');
      expect(outcome(await view.login('ann'))).toBe('429 account_locked');
      result(await view.password(id, 1, OTHER_PASSWORD));
      const failed = await view.login('ann', 'wrong');
      expect(failed.body).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
      expect(outcome(await view.login('ann', OTHER_PASSWORD))).toBe('200');
      expect(await view.events('account_unlocked')).toMatchObject([
        { metadata: { target_username: 'ann', cause: 'password' } },
      ]);
      const root = await view.root();
      result(await view.call('lockAccount', { id: 'ann', document: {} }, root));
      result(await view.password(id, 2, PASSWORD));
      expect(outcome(await view.login('ann'))).toBe('429 account_locked');
    },
  );
});
