/** Platform logins (docs/contract/login-accounts.md#log-10). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { badTexts } from '../harness/documents.js';
import {
  inBothViews,
  inView,
  lost,
  OTHER_PASSWORD,
  PASSWORD,
  type View,
} from './login-account-fixture.js';

const LIFE_MS = 900_000;
const MINUTE_MS = 60_000;
const locked = '429 account_locked';

/** Fails logins; returns the last response. */
async function fail(view: View, times: number, username = 'ann') {
  for (let left = times; left > 1; left -= 1) await view.login(username, 'wrong');
  return view.login(username, 'wrong');
}

/** Returns the members about the lock in a refusal. */
const lockOf = ({ body }: { readonly body: unknown }): unknown =>
  (body as { lockout_expires: string }).lockout_expires;

describe('a good login', () => {
  inBothViews('LOG-14, LOG-15, LOG-16, CON-31 returns a token and the account', async (view) => {
    const ann = await view.made('ann', await view.key());
    const answer = await view.login('ann');
    const hex = ann.id.replaceAll('-', '');
    const family = view.kind === 'tenant' ? 'akst1' : 'aksg1';
    const form = new RegExp(`^${family}_${hex}_[0-9a-f]{32}_[A-Za-z0-9_-]{43}$`);
    expect(result(answer)).toEqual({
      contract_version: 1,
      session: {
        token: expect.stringMatching(form) as string,
        token_type: 'Bearer',
        expires_at_millis: view.t.clock.now() + LIFE_MS,
        account: ann,
      },
    });
    expect(result(answer).session.token).toHaveLength(115);
    expect(outcome(await view.inspect(ann.id, { token: result(answer).session.token }))).toBe(
      refused.forbidden,
    );
    expect((await view.account(ann)).revision).toBe(1);
    const user = result(await view.call('getUser', { id: ann.id }));
    expect(user.last_login).toBe(new Date(view.t.clock.now()).toISOString());
  });

  inBothViews('LOG-C31, LOG-52 lives no longer than the credential', async (view) => {
    const { clock } = view.t;
    const early = await view.key({ expires_at_millis: clock.now() + LIFE_MS - 1 });
    const late = await view.key({ expires_at_millis: clock.now() + LIFE_MS + 1 });
    await view.made('early', early);
    await view.made('late', late);
    const ends = async (name: string) => result(await view.login(name)).session.expires_at_millis;
    expect(await ends('early')).toBe(clock.now() + LIFE_MS - 1);
    expect(await ends('late')).toBe(clock.now() + LIFE_MS);
    const session = await view.session('early');
    clock.advance(LIFE_MS - 2);
    expect(await view.identity(session)).toBe('200');
    const last = result(await view.login('early')).session;
    expect(last.expires_at_millis).toBe(clock.now() + 1);
    clock.advance(1);
    expect(await view.identity(session)).toBe(refused.unauthorized);
    expect(await view.identity(last)).toBe(refused.unauthorized);
    expect(outcome(await view.login('early'))).toBe(lost);
  });

  inBothViews('is open to accounts without a credential', async (view) => {
    const chief = await view.admins('chief');
    const { session } = result(await view.login('chief'));
    expect(session.account).toEqual(chief);
    expect(session.account.credential_id).toBeNull();
    const self = await view.outcome('getUser', { id: chief.id }, session);
    expect(self).toBe('200');
    // Without a credential it has no authority on the platform.
    expect(await view.identity(session)).toBe(refused.forbidden);
  });

  inBothViews('ignores proofs', async (view) => {
    await view.made('ann', view.admin);
    const document = {
      contract_version: 1,
      ...view.tenancy,
      username: 'ann',
      password: PASSWORD,
    };
    for (const token of ['x', view.admin.token]) {
      expect(await view.outcome(view.names.login, { document }, { token })).toBe('200');
    }
  });

  inBothViews('clears failures', async (view) => {
    await view.made('ann', view.admin);
    await fail(view, 4);
    expect(outcome(await view.login('ann'))).toBe('200');
    const { body } = await fail(view, 1);
    expect(body).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
  });
});

describe('a failed login', () => {
  inBothViews('LOG-C29 has one body, whatever the reason', async (view) => {
    const { clock } = view.t;
    const [revoked, expired, live] = [
      await view.key(),
      await view.key({ expires_at_millis: clock.now() + 1 }),
      await view.key(),
    ];
    const names = ['wrong', 'disabled', 'inactive', 'deleted', 'revoked', 'expired'];
    const keys: Record<string, { id: string; token: string }> = { revoked, expired };
    const ids: Record<string, string> = {};
    for (const name of names) ids[name] = (await view.made(name, keys[name] ?? live)).id;
    await view.admins('root');
    const root = await view.jwt('root');
    result(await view.disable(ids['disabled'], 1));
    const inactive = { id: ids['inactive'], document: { is_active: false } };
    result(await view.call('updateUser', inactive, root));
    result(await view.call('deleteUser', { id: ids['deleted'] }, root));
    result(await view.revoke(revoked));
    clock.advance(1);
    for (let failures = 1; failures <= 5; failures += 1) {
      const bodies = [
        await view.login('wrong', 'wrong'),
        await view.login('wrong2', ''),
        ...(await Promise.all(
          ['disabled', 'inactive', 'deleted', 'revoked', 'expired', 'absent'].map((name) =>
            view.login(name),
          ),
        )),
        ...(view.kind === 'tenant'
          ? [await view.login('wrong', PASSWORD, { tenant_id: 'absent' })]
          : []),
      ].map(({ body }) => JSON.stringify(body));
      expect(new Set(bodies).size).toBe(1);
      const last = failures === 5;
      expect(JSON.parse(bodies[0] ?? '')).toEqual({
        contract_version: 1,
        error: { code: 'invalid_login', message: expect.any(String) as string },
        failed_attempts: failures,
        remaining_attempts: 5 - failures,
        ...(last && {
          locked: true,
          lockout_expires: new Date(clock.now() + 15 * MINUTE_MS).toISOString(),
          lockout_remaining_seconds: 900,
        }),
      });
    }
  });

  inView('tenant', 'LOG-C29 an account of another authority is unknown', async (view) => {
    await view.made('ann', view.admin);
    await view.t.foreignAdmin();
    const elsewhere = await view.login('ann', PASSWORD, { tenant_id: 'other' });
    expect(outcome(elsewhere)).toBe(lost);
    const document = { contract_version: 1, username: 'ann', password: PASSWORD };
    expect(outcome(await view.t.transport('loginGlobal', undefined, { document }))).toBe(lost);
    // Neither counted against the name in its own tenant.
    const { body } = await fail(view, 1);
    expect(body).toMatchObject({ failed_attempts: 1 });
  });

  inBothViews('LOG-C39 does not extend a lock', async (view) => {
    const { clock } = view.t;
    await view.made('ann', view.admin);
    const expires = lockOf(await fail(view, 5));
    for (let minutes = 1; minutes < 15; minutes += 1) {
      clock.advance(MINUTE_MS);
      const answer = await view.login('ann', minutes % 2 === 0 ? PASSWORD : 'wrong');
      expect(outcome(answer)).toBe(locked);
      expect(answer.body).toEqual({
        contract_version: 1,
        error: { code: 'account_locked', message: expect.any(String) as string },
        locked: true,
        lockout_expires: expires,
        lockout_remaining_seconds: (15 - minutes) * 60,
      });
    }
    clock.advance(MINUTE_MS - 1);
    expect((await view.login('ann')).body).toMatchObject({ lockout_remaining_seconds: 1 });
    clock.advance(1);
    expect(outcome(await view.login('ann'))).toBe('200');
  });

  inBothViews('LOG-C40 counts from one after an expired lock', async (view) => {
    await view.made('ann', view.admin);
    await fail(view, 5);
    view.t.clock.advance(15 * MINUTE_MS);
    for (let failures = 1; failures <= 5; failures += 1) {
      const { body } = await fail(view, 1);
      expect(body).toMatchObject({ failed_attempts: failures });
      expect(Object.hasOwn(Object(body) as object, 'locked')).toBe(failures === 5);
    }
    const { body } = await view.login('ann');
    expect(body).toMatchObject({ lockout_remaining_seconds: 1_800 });
  });

  inBothViews('LOG-C46 starts a new count after half an hour', async (view) => {
    await view.made('ann', view.admin);
    await fail(view, 4);
    view.t.clock.advance(31 * MINUTE_MS);
    const { body } = await fail(view, 1);
    expect(body).toMatchObject({ failed_attempts: 1, remaining_attempts: 4 });
    expect(outcome(await view.login('ann'))).toBe('200');
  });

  inBothViews('LOG-C41 counts together with those of the account surface', async (view) => {
    await view.made('ann', view.admin);
    await fail(view, 3);
    await view.authLogin('ann', 'wrong');
    const { body } = await view.authLogin('ann', 'wrong');
    expect(body).toMatchObject({ failed_attempts: 5, locked: true });
    expect(outcome(await view.login('ann'))).toBe(locked);
    expect(outcome(await view.authLogin('ann'))).toBe(locked);
    expect(lockOf(await view.login('ann'))).toBe(lockOf(await view.authLogin('ann')));
    expect(await view.events('account_lockout_triggered')).toHaveLength(1);
    expect(await view.events('login_failed')).toHaveLength(5);
  });

  inBothViews('SES-63, CON-90 a manual lock has no end', async (view) => {
    await view.made('ann', view.admin);
    result(await view.call('lockAccount', { id: 'ann', document: { reason: 'x' } }));
    expect((await view.login('ann')).body).toEqual({
      contract_version: 1,
      error: { code: 'account_locked', message: expect.any(String) as string },
      locked: true,
      lockout_expires: null,
      lockout_remaining_seconds: null,
    });
    result(await view.call('unlockAccount', { id: 'ann' }));
    expect(outcome(await view.login('ann'))).toBe('200');
  });

  inBothViews('LCK-26 five at once make one lock', async (view) => {
    await view.made('ann', view.admin);
    const answers = await Promise.all(Array.from({ length: 6 }, () => fail(view, 1)));
    expect(answers.map(outcome).sort()).toEqual([...Array<string>(5).fill(lost), locked]);
    expect(await view.events('account_lockout_triggered')).toMatchObject([
      { metadata: { lockout_count: 1 } },
    ]);
  });
});

describe('the document of a login', () => {
  const whole = (view: View): Record<string, unknown> => ({
    contract_version: 1,
    ...view.tenancy,
    username: 'ann',
    password: PASSWORD,
  });

  inBothViews('LOG-10, LOG-12 has exactly these members', async (view) => {
    await view.made('ann', view.admin);
    const ask = async (document: object) =>
      outcome(await view.t.transport(view.names.login, undefined, { document }));
    for (const member of Object.keys(whole(view))) {
      const rest = Object.entries(whole(view)).filter(([name]) => name !== member);
      expect(await ask(Object.fromEntries(rest)), member).toBe(refused.invalid);
      expect(await ask({ ...whole(view), [member]: null }), member).toBe(refused.invalid);
    }
    for (const stray of ['email', 'authority', 'remember']) {
      expect(await ask({ ...whole(view), [stray]: 'x' })).toBe(refused.invalid);
    }
    for (const [name, username] of badTexts) {
      expect(await ask({ ...whole(view), username }), name).toBe(refused.invalid);
      if (view.kind === 'global') continue;
      expect(await ask({ ...whole(view), tenant_id: username }), name).toBe(refused.invalid);
    }
    expect(await ask({ ...whole(view), contract_version: 2 })).toBe(refused.version);
    // None of these counted as a failure.
    const { body } = await fail(view, 1);
    expect(body).toMatchObject({ failed_attempts: 1 });
  });

  inView('global', 'LOG-C30 must not name a tenant', async (view) => {
    await view.made('ann', view.admin);
    for (const tenant_id of ['acme', '', null, 7]) {
      expect(outcome(await view.login('ann', PASSWORD, { tenant_id }))).toBe(refused.invalid);
    }
  });

  inBothViews('LOG-C26 accepts a password of any form, up to 1,024 bytes', async (view) => {
    await view.made('ann', view.admin);
    for (const password of ['', ' ', 'é'.repeat(512), OTHER_PASSWORD]) {
      expect(outcome(await view.login('ann', password))).toBe(lost);
    }
    for (const password of [`${'é'.repeat(512)}x`, 'x'.repeat(1_025), 7]) {
      expect(outcome(await view.login('ann', password))).toBe(refused.invalid);
    }
  });

  inBothViews('is checked before a lock', async (view) => {
    await fail(view, 5);
    expect(outcome(await view.login('ann', 'x'.repeat(1_025)))).toBe(refused.invalid);
    const old = { contract_version: 2 };
    expect(outcome(await view.login('ann', PASSWORD, old))).toBe(refused.version);
    expect(outcome(await view.login('ann', 'x'.repeat(1_025), old))).toBe(refused.version);
    expect(outcome(await view.login('\u0007', PASSWORD, old))).toBe(refused.version);
    expect(outcome(await view.login('ann', 7, old))).toBe(refused.invalid);
    // The tenant is checked after the version, in both views.
    const tenancy = { tenant_id: view.kind === 'tenant' ? undefined : 'acme' };
    expect(outcome(await view.login('ann', PASSWORD, { ...old, ...tenancy }))).toBe(
      refused.version,
    );
    expect(outcome(await view.login('ann', PASSWORD, tenancy))).toBe(refused.invalid);
    expect(outcome(await view.login('ann'))).toBe(locked);
  });
});
