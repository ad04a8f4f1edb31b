/**
 * Order of checks of login accounts and logins (docs/contract/order-of-checks.md#ord-1): the
 * earlier of two faults decides the response.
 */
import { AgentkeepError, openKeep, type PasswordHasher } from '@agentkeep/core';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { unknownId } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import {
  as,
  badId,
  badShape,
  expectOrder,
  type Fault,
  noProof,
  otherVersion,
} from '../harness/faults.js';
import { stale, unknown, unknownMember } from '../harness/faults.js';
import { appOf, send } from '../harness/http-driver.js';
import { lasting } from '../harness/lasting-store.js';
import {
  inBothViews,
  type Key,
  OTHER_PASSWORD,
  PASSWORD,
  type View,
  viewOf,
} from '../login-accounts/login-account-fixture.js';
import { tokens } from '../sessions/session-fixture.js';

const version = { contract_version: 1 };
const busy = '503 login_busy';
const locked = '429 account_locked';

/** Sets a member of the document. */
const member = (name: string, value: unknown, expected: string = refused.invalid): Fault => [
  `${name} ${JSON.stringify(value)}`,
  expected,
  ({ document }) => (document![name] = value),
];

/** The caller has the other kind of authority. */
async function otherFamily(view: View): Promise<Fault> {
  const { kind, t } = view;
  return kind === 'tenant'
    ? ['family', refused.unauthorized, as(await t.master())[2]]
    : ['family', refused.forbidden, as(t.admin)[2]];
}

/** Returns a credential that lacks only the rights. */
function lacking(view: View): Promise<Key> {
  return view.kind === 'tenant' ? view.key() : view.full();
}

/** Tries an order for both authorities on both transports. */
const everyWay = (title: string, run: (view: View) => Promise<void>): void => {
  inBothViews(title, run, drivers);
};

describe('the earlier of two faults decides', () => {
  everyWay('LOG-65, ORD-1 create', async (view) => {
    await view.made('taken', view.admin);
    const document = { ...version, username: 'ann', password: PASSWORD };
    await expectOrder(view.t, {
      operation: view.names.create,
      valid: {
        token: view.admin.token,
        document: { ...document, credential_id: view.admin.id },
      },
      faults: [
        noProof,
        await otherFamily(view),
        unknownMember,
        otherVersion,
        as(await lacking(view)),
        member('username', ' '),
        member('credential_id', unknownId, refused.forbidden),
        member('password', 'weak', '400 weak_password'),
        member('username', 'taken', refused.stale),
      ],
    });
  });

  everyWay('password', async (view) => {
    const ann = await view.made('ann', await view.key());
    const document = { ...version, expected_revision: 1, password: OTHER_PASSWORD };
    await expectOrder(view.t, {
      operation: view.names.password,
      valid: { token: view.admin.token, id: ann.id, document },
      faults: [
        noProof,
        await otherFamily(view),
        badShape('password'),
        otherVersion,
        badId,
        as(await lacking(view)),
        unknown,
        stale,
        member('password', 'weak', '400 weak_password'),
      ],
    });
  });

  everyWay('LOG-68 disable', async (view) => {
    const ann = await view.made('ann', await view.key());
    await expectOrder(view.t, {
      operation: view.names.disable,
      valid: {
        token: view.admin.token,
        id: ann.id,
        document: { ...version, expected_revision: 1 },
      },
      faults: [
        noProof,
        await otherFamily(view),
        unknownMember,
        otherVersion,
        badId,
        as(await lacking(view)),
        unknown,
        stale,
      ],
    });
  });

  everyWay('LOG-67 inspect', async (view) => {
    const ann = await view.made('ann', await view.key());
    await expectOrder(view.t, {
      operation: view.names.inspect,
      valid: { token: view.admin.token, id: ann.id, parameters: {} },
      faults: [
        noProof,
        await otherFamily(view),
        badId,
        as(await lacking(view)),
        ['query', refused.invalid, ({ parameters }) => (parameters!['x'] = 1)],
        ['limit', refused.invalid, ({ parameters }) => (parameters!['limit'] = 0)],
        unknown,
      ],
    });
  });

  everyWay('list', async (view) => {
    const put = (name: string, value: unknown): Fault => [
      `${name} ${String(value).slice(0, 9)}`,
      refused.invalid,
      ({ parameters }) => (parameters![name] = value),
    ];
    await expectOrder(view.t, {
      operation: view.names.list,
      valid: { token: view.admin.token, parameters: { ...version } },
      faults: [
        noProof,
        await otherFamily(view),
        put('x', 1),
        otherVersion,
        put('limit', 101),
        put('cursor', 'a'.repeat(8_193)),
        as(await lacking(view)),
        put('cursor', 'invalid'),
      ],
    });
  });

  everyWay('LOG-69 login', async (view) => {
    for (let failures = 0; failures < 5; failures += 1) await view.login('locked', 'wrong');
    const noTenancy: Fault = [
      'tenant',
      refused.invalid,
      ({ document }) => {
        if (view.kind === 'global') document!['tenant_id'] = 'acme';
        else delete document!['tenant_id'];
      },
    ];
    await view.made('ann', view.admin);
    const document = { ...version, ...view.tenancy, username: 'ann', password: PASSWORD };
    await expectOrder(view.t, {
      operation: view.names.login,
      // Logins ignore proofs, so an invalid one is not a fault.
      valid: { token: 'ak1_x', document },
      faults: [
        badShape('username'),
        otherVersion,
        noTenancy,
        member('password', 'x'.repeat(1_025)),
        member('username', 'a\u0007'),
        member('username', 'locked', locked),
      ],
    });
  });
});

/** Opens a keep over the store of a view, with another password hasher. */
function reopened(view: View, passwords: PasswordHasher) {
  const { clock, store } = view.t;
  return openKeep({ store, clock, passwords, tokens });
}

const overloaded: PasswordHasher = {
  hash: () => Promise.reject(new AgentkeepError('login_busy')),
  verify: () => Promise.reject(new AgentkeepError('login_busy')),
};

for (const driver of drivers) {
  for (const kind of ['tenant', 'global'] as const) {
    // LOG-65, LOG-41, CON-94
    test(`503 comes after every check but the commit (${kind}, ${driver.name})`, async () => {
      const view = await viewOf(driver, kind, lasting());
      const ann = await view.made('ann', view.admin);
      for (let failures = 0; failures < 5; failures += 1) await view.login('locked', 'wrong');
      await view.t.keep.close();
      await using keep = await reopened(view, overloaded);
      const transport = driver.open(keep);
      const { names, admin, tenancy } = view;
      const call = async (name: Parameters<typeof transport>[0], parts: object) =>
        outcome(await transport(name, admin.token, parts));
      const create = (members: object) => {
        const document = { ...version, username: 'bob', password: PASSWORD, ...members };
        return call(names.create, { document: { ...document, credential_id: admin.id } });
      };
      expect(await create({ password: 'weak' })).toBe('400 weak_password');
      expect(await create({ username: 'ann' })).toBe(busy);
      const reset = (members: object) => {
        const document = { ...version, expected_revision: 1, password: PASSWORD, ...members };
        return call(names.password, { id: ann.id, document });
      };
      expect(await reset({ password: 'weak' })).toBe('400 weak_password');
      expect(await reset({ expected_revision: 2 })).toBe(refused.stale);
      expect(await reset({})).toBe(busy);
      const login = (username: string) => {
        const document = { ...version, ...tenancy, username, password: 'wrong' };
        return call(names.login, { document });
      };
      expect(await login(' ')).toBe(refused.invalid);
      expect(await login('locked')).toBe(locked);
      expect(await login('ann')).toBe(busy);
      expect(await login('absent')).toBe(busy);
      const disable = { id: ann.id, document: { ...version, expected_revision: 1 } };
      expect(await call(names.disable, disable)).toBe('200');
    });
  }
}

describe('bodies over HTTP', () => {
  const [, http] = drivers;
  if (http === undefined) throw new Error('There is no way in over HTTP.');

  for (const kind of ['tenant', 'global'] as const) {
    const base = kind === 'tenant' ? '/api/v1' : '/api/v1/admin';

    test(`CON-96, LOG-17 are at most 8,192 bytes (${kind})`, async () => {
      await using view = await viewOf(http, kind);
      const ann = await view.made('ann', view.admin);
      const app = appOf(view.t.keep);
      const post = async (path: string, body: string, token?: string, type = 'application/json') =>
        outcome(
          await send(app, 'POST', path, {
            body,
            headers: {
              ...(type === '' ? {} : { 'Content-Type': type }),
              ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
            },
          }),
        );
      const accounts = `${base}/login-accounts`;
      const proved = [accounts, `${accounts}/${ann.id}/password`, `${accounts}/${ann.id}/disable`];
      const large = ' '.repeat(8_193);
      for (const path of proved) {
        expect(await post(path, large, 'x'), path).toBe(refused.unauthorized);
        expect(await post(path, large, view.admin.token), path).toBe(refused.tooLarge);
        expect(await post(path, large.slice(1), view.admin.token), path).toBe(refused.invalid);
        expect(await post(path, '{', view.admin.token), path).toBe(refused.invalid);
        expect(await post(path, '', view.admin.token), path).toBe(refused.invalid);
        expect(await post(path, '{}', view.admin.token, 'text/plain'), path).toBe(refused.invalid);
      }
      const login = `${base}/login`;
      expect(await post(login, large)).toBe(refused.tooLarge);
      expect(await post(login, '')).toBe(refused.invalid);
      expect(await post(login, '{"contract_version":1,"contract_version":1}')).toBe(
        refused.invalid,
      );
      const document = JSON.stringify({
        ...version,
        ...view.tenancy,
        username: 'ann',
        password: PASSWORD,
      });
      expect(await post(login, document, undefined, 'text/plain')).toBe(refused.invalid);
      expect(await post(login, document.padEnd(8_192))).toBe('200');
      const token = async () => (await view.session('ann')).token;
      expect(await post('/api/v1/logout', large, await token())).toBe(refused.tooLarge);
      expect(await post('/api/v1/logout', large, 'x')).toBe(refused.unauthorized);
      expect(await post('/api/v1/logout', large, view.admin.token)).toBe(refused.unauthorized);
      expect(await post('/api/v1/logout', '{', await token(), '')).toBe('200');
      const answer = await send(app, 'POST', '/api/v1/logout', {
        headers: { Authorization: `Bearer ${await token()}` },
      });
      expect(result({ operation: 'logout', ...answer }).logged_out).toBe(true);
    });

    test(`LOG-67, CON-121 and unknown query parameters are refused (${kind})`, async () => {
      await using view = await viewOf(http, kind);
      const { id } = await view.made('ann', view.admin);
      const app = appOf(view.t.keep);
      const headers = { Authorization: `Bearer ${view.admin.token}` };
      const get = async (path: string) =>
        outcome(await send(app, 'GET', `${base}/login-accounts${path}`, { headers }));
      expect(await get(`/${id}`)).toBe('200');
      expect(await get(`/${id}?contract_version=1`)).toBe(refused.invalid);
      expect(await get(`/${id.toUpperCase()}`)).toBe('200');
      expect(await get('/%zz')).toBe(refused.invalid);
      expect(await get('/x')).toBe(refused.invalid);
      expect(await get('')).toBe(refused.invalid);
      expect(await get('?contract_version=1')).toBe('200');
      expect(await get('?contract_version=1&contract_version=1')).toBe(refused.invalid);
      expect(await get('?contract_version=1&tenant_id=acme')).toBe(refused.invalid);
      const other = await send(app, 'DELETE', `${base}/login-accounts/${id}`, { headers });
      expect(outcome(other)).toBe('405 method_not_allowed');
      expect(other.headers.get('allow')).toBe('GET, HEAD');
    });
  }
});
