/** How opaque sessions end (docs/contract/login-accounts.md#log-52). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Members } from '../harness/caller.js';
import { scope } from '../harness/documents.js';
import {
  type Holder,
  inBothViews,
  inView,
  OTHER_PASSWORD,
  type View,
} from './login-account-fixture.js';

/** Actions that end every session of an account, except changes of its credential. */
const endings: Readonly<
  Record<string, (view: View, id: string, root: Holder) => Promise<unknown>>
> = {
  'a reset': async (view, id) => result(await view.password(id, 1, OTHER_PASSWORD)),
  disabling: async (view, id) => result(await view.disable(id, 1)),
  'a reset on the account surface': async (view, id, root) =>
    result(
      await view.call('resetPassword', { id, document: { new_password: OTHER_PASSWORD } }, root),
    ),
  'a change of roles': async (view, id, root) =>
    result(await view.call('setUserRoles', { id, document: { roles: ['Write'] } }, root)),
  deactivation: async (view, id, root) =>
    result(await view.call('updateUser', { id, document: { is_active: false } }, root)),
  deletion: async (view, id, root) => result(await view.call('deleteUser', { id }, root)),
  'revoke-all': async (view, id, root) =>
    result(await view.call('revokeAllTokens', { document: { user_id: id } }, root)),
};

describe('the end of sessions', () => {
  for (const [name, end] of Object.entries(endings)) {
    inBothViews(`comes with ${name}`, async (view) => {
      const { ann, key, session } = await view.opened();
      const others = [await view.session('ann'), await view.jwt('ann')];
      await view.admins('root');
      const root = await view.jwt('root');
      await end(view, ann.id, root);
      for (const each of [session, ...others]) {
        expect(await view.identity(each)).toBe(refused.unauthorized);
        expect(await view.outcome('getUser', { id: ann.id }, each)).toBe(refused.unauthorized);
      }
      expect(await view.identity(key)).toBe('200');
      expect(await view.identity(root)).toBe(refused.forbidden);
    });
  }

  inBothViews('comes after fifteen minutes, used or not', async (view) => {
    const { session } = await view.opened();
    for (let minutes = 0; minutes < 14; minutes += 1) {
      view.t.clock.advance(60_000);
      expect(await view.identity(session)).toBe('200');
    }
    view.t.clock.advance(59_999);
    expect(await view.identity(session)).toBe('200');
    view.t.clock.advance(1);
    expect(await view.identity(session)).toBe(refused.unauthorized);
    expect(await view.outcome('logout', {}, session)).toBe(refused.unauthorized);
  });

  inBothViews('LOG-C33 comes with a rotation, and the password stays', async (view) => {
    const { key, session } = await view.opened();
    const jwt = await view.jwt('ann');
    const apiKey = await view.apiKey(session);
    const { secret } = result(await view.rotate(key));
    for (const each of [session, jwt, key]) {
      expect(await view.identity(each)).toBe(refused.unauthorized);
    }
    expect(await view.identity({ token: secret })).toBe('200');
    expect(await view.identity(apiKey)).toBe('200');
    expect(outcome(await view.login('ann'))).toBe('200');
    expect(await view.identity(await view.session('ann'))).toBe('200');
  });

  inBothViews('comes with a revocation, for API keys too', async (view) => {
    const { key, session } = await view.opened();
    const apiKey = await view.apiKey(session);
    result(await view.revoke(key));
    for (const each of [session, apiKey]) {
      expect(await view.identity(each)).toBe(refused.unauthorized);
      expect(await view.outcome('listApiKeys', {}, each)).toBe(refused.unauthorized);
    }
    expect(outcome(await view.login('ann'))).toBe('401 invalid_login');
  });

  inView(
    'tenant',
    'LOG-C34 comes with a change of scope authority, but the API key survives',
    async (view) => {
      const { key, session } = await view.opened();
      const apiKey = await view.apiKey(session);
      result(await view.t.admin.rescope(key.id, 1, { grants: [scope] }));
      expect(await view.identity(session)).toBe(refused.unauthorized);
      expect(await view.identity(key)).toBe('200');
      expect(await view.identity(apiKey)).toBe('200');
      expect(await view.identity(await view.session('ann'))).toBe('200');
    },
  );

  inBothViews('LOG-C35 comes with a change by the session itself', async (view) => {
    const chief = await view.made('chief', view.admin);
    const [session, other] = [await view.session('chief'), await view.session('chief')];
    const { account } = result(await view.password(chief.id, 1, OTHER_PASSWORD, session));
    expect(account.history.at(-1)).toMatchObject({
      action: 'login_password_changed',
      actor_id: view.admin.id,
    });
    for (const each of [session, other]) {
      expect(await view.identity(each)).toBe(refused.unauthorized);
    }
    expect(await view.identity(view.admin)).toBe('200');
    expect(await view.events('user_password_changed')).toMatchObject([
      { user_id: chief.id, username: 'chief', metadata: { password_changed: true, self: true } },
    ]);
  });

  inBothViews('LOG-59 comes with the rotation of its own credential', async (view) => {
    const { key, session } = await view.opened(selfAdministrating(view));
    const { credential, secret } = result(await view.rotate(key, 1, session));
    expect(credential.history.at(-1)).toMatchObject({ action: 'rotated', actor_id: key.id });
    expect(await view.identity(session)).toBe(refused.unauthorized);
    expect(await view.identity({ token: secret })).toBe('200');
    expect(await view.identity(await view.session('ann'))).toBe('200');
  });

  inBothViews('does not come with a lockout', async (view) => {
    const { session } = await view.opened();
    for (let failures = 1; failures <= 5; failures += 1) await view.login('ann', 'wrong');
    expect(outcome(await view.login('ann'))).toBe('429 account_locked');
    expect(await view.identity(session)).toBe('200');
  });
});

/** Members of a credential that may rotate itself. */
function selfAdministrating({ kind }: View): Members {
  return kind === 'tenant' ? { capabilities: ['credential_admin'] } : {};
}

describe('logout', () => {
  inBothViews('LOG-C38 ends its session only', async (view) => {
    const { session } = await view.opened();
    const sibling = await view.session('ann');
    const answer = await view.call('logout', {}, session);
    expect(result(answer)).toEqual({ contract_version: 1, logged_out: true });
    expect(await view.outcome('logout', {}, session)).toBe(refused.unauthorized);
    expect(await view.identity(session)).toBe(refused.unauthorized);
    expect(await view.identity(sibling)).toBe('200');
  });

  inBothViews('LOG-C38 is 401 for a credential and for an API key', async (view) => {
    const { key, session } = await view.opened();
    const apiKey = await view.apiKey(session);
    for (const each of [key, view.admin, apiKey, { token: 'x' }]) {
      expect(await view.outcome('logout', {}, each)).toBe(refused.unauthorized);
    }
    for (const each of [key, view.admin, apiKey, session]) {
      expect(await view.identity(each)).toBe('200');
    }
  });

  inBothViews('ends sessions of either kind, on either surface', async (view) => {
    await view.opened();
    const ways = [
      ['logout', await view.jwt('ann')],
      ['authLogout', await view.session('ann')],
      ['authLogout', await view.jwt('ann')],
      ['logout', await view.session('ann')],
    ] as const;
    for (const [name, each] of ways) {
      expect(await view.outcome(name, {}, each)).toBe('200');
      expect(await view.identity(each)).toBe(refused.unauthorized);
      expect(await view.outcome(name, {}, each)).toBe(refused.unauthorized);
    }
    expect(await view.events('logout')).toHaveLength(4);
  });

  inBothViews('is open to an account without a credential', async (view) => {
    await view.admins('chief');
    const session = await view.session('chief');
    expect(await view.outcome('logout', {}, session)).toBe('200');
    expect(await view.outcome('logout', {}, session)).toBe(refused.unauthorized);
  });

  inBothViews('LOG-51 of two at once one succeeds', async (view) => {
    const { session } = await view.opened();
    const answers = await Promise.all([
      view.outcome('logout', {}, session),
      view.outcome('logout', {}, session),
    ]);
    expect(answers.sort()).toEqual(['200', refused.unauthorized]);
    expect(await view.events('logout')).toHaveLength(1);
  });
});
