/**
 * Opaque sessions: routes, tokens and their number (docs/contract/login-accounts.md).
 * `opaque-session-ends.test.ts` tests how they end.
 */
import { type Keep, openKeep } from '@agentkeep/core';
import { quickPasswords } from '@agentkeep/core/testing';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { appOf, send } from '../harness/http-driver.js';
import { lasting } from '../harness/lasting-store.js';
import {
  type Holder,
  inBothViews,
  inView,
  type Key,
  OTHER_PASSWORD,
  type View,
  viewOf,
} from './login-account-fixture.js';
import { tokens } from '../sessions/session-fixture.js';

const LIFE_MS = 900_000;

describe('routes that accept a session', () => {
  inView(
    'tenant',
    'CON-C54, CON-58 a session of a tenant acts for its credential',
    async (view) => {
      const members = { capabilities: ['memory_read', 'memory_write'], grants: [sharedScope] };
      const { key, ann, session } = await view.opened({ subject_id: 'alice', ...members });
      const { admin } = view.t;
      const [machine, person] = [admin.with(key.token), admin.with(session.token)];
      const shown = result(await person.whoAmI());
      expect(shown).toEqual(result(await machine.whoAmI()));
      expect(shown.credential.id).toBe(key.id);
      const id = await person.created(sharedScope);
      const { record } = result(await machine.read(sharedScope, id));
      expect(JSON.stringify(record)).not.toContain(ann.id);
      expect(await machine.found(sharedScope)).toEqual([id]);
      expect(await person.found(sharedScope)).toEqual([id]);
      expect(outcome(await person.create(scope))).toBe(refused.forbidden);
      expect(outcome(await person.list())).toBe(refused.forbidden);
      result(await admin.rotate(key.id, 1));
      expect(outcome(await person.whoAmI())).toBe(refused.unauthorized);
      expect(outcome(await person.create(sharedScope))).toBe(refused.unauthorized);
      expect(outcome(await person.query(sharedScope))).toBe(refused.unauthorized);
    },
  );

  inView(
    'tenant',
    'LOG-C32, CON-60 a session of a tenant is 403 to the installation',
    async (view) => {
      const { session } = await view.opened();
      await view.t.master();
      expect(await view.outcome('globalIdentity', {}, session)).toBe(refused.forbidden);
      const { id } = view.admin;
      expect(await view.outcome('inspectGlobalLoginAccount', { id }, session)).toBe(
        refused.forbidden,
      );
    },
  );

  inView(
    'global',
    'LOG-C32, CON-60 a session of the installation is 401 to a tenant',
    async (view) => {
      const { session } = await view.opened();
      expect(await view.outcome('whoAmI', {}, session)).toBe(refused.unauthorized);
      const { id } = view.admin;
      expect(await view.outcome('inspectTenantLoginAccount', { id }, session)).toBe(
        refused.unauthorized,
      );
      // Without a credential an account lacks authority, whatever its proof.
      await view.admins('chief');
      expect(await view.outcome('whoAmI', {}, await view.session('chief'))).toBe(refused.forbidden);
      expect(await view.outcome('whoAmI', {}, await view.jwt('chief'))).toBe(refused.forbidden);
    },
  );

  inBothViews('every proof of an account has its authority', async (view) => {
    const { session } = await view.opened();
    const jwt = await view.jwt('ann');
    const proofs = [session, jwt, await view.apiKey(jwt), await view.apiKey(session)];
    const elsewhere = view.kind === 'tenant' ? 'globalIdentity' : 'whoAmI';
    const expected = view.kind === 'tenant' ? refused.forbidden : refused.unauthorized;
    for (const proof of proofs) {
      expect(await view.identity(proof)).toBe('200');
      expect(await view.outcome(elsewhere, {}, proof)).toBe(expected);
    }
  });

  inBothViews('CON-60 an account without a credential has no authority', async (view) => {
    const { id } = await view.admins('chief');
    const jwt = await view.jwt('chief');
    const proofs = [await view.session('chief'), jwt, await view.apiKey(jwt)];
    for (const proof of proofs) {
      expect(await view.identity(proof)).toBe(refused.forbidden);
      expect(outcome(await view.inspect(id, proof))).toBe(refused.forbidden);
      expect(outcome(await view.list({}, proof))).toBe(refused.forbidden);
      expect(await view.outcome('getUser', { id }, proof)).toBe('200');
    }
  });

  inBothViews('is accepted on the account surface', async (view) => {
    const { ann, session } = await view.opened();
    const shown = result(await view.call('getUser', { id: ann.id }, session));
    expect(shown.username).toBe('ann');
    expect(await view.outcome('listUsers', {}, session)).toBe(refused.forbidden);
    const change = { current_password: 'wrong', new_password: OTHER_PASSWORD };
    expect(await view.outcome('changeOwnPassword', { document: change }, session)).toBe(
      '401 invalid_login',
    );
    expect(await view.identity(session)).toBe('200');
  });

  inBothViews('LOG-C45 its actions are recorded for the credential', async (view) => {
    const full = await view.full();
    const key = view.kind === 'tenant' ? full : view.admin;
    await view.made('chief', key);
    const chief = await view.session('chief');
    const target = await view.key();
    result(await view.rotate(target, 1, chief));
    const made = result(await view.create({ username: 'bob', credential_id: target.id }, chief));
    const { id } = made.account;
    result(await view.password(id, 1, OTHER_PASSWORD, chief));
    const { account } = result(await view.disable(id, 2, chief));
    expect(account.history.map(({ actor_id }) => actor_id)).toEqual([key.id, key.id, key.id]);
    const inspect = view.kind === 'tenant' ? 'inspectCredential' : 'inspectGlobalCredential';
    const { credential } = result(await view.call(inspect, { id: target.id }));
    expect(credential.history.at(-1)).toMatchObject({ action: 'rotated', actor_id: key.id });
  });
});

describe('the token', () => {
  // CON-26, CON-27
  inBothViews(
    'CON-26, CON-27, CON-31 has exactly its canonical form and its secret kind',
    async (view) => {
      const { key, session } = await view.opened();
      const { token } = session;
      const [family = '', account = '', id = '', secret = ''] = token.split(/_(.{32})_(.{32})_/);
      const other = family === 'akst1' ? 'aksg1' : 'akst1';
      const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'.indexOf(
        secret.at(-1) ?? '',
      );
      const sloppy = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'[last + 1];
      const upper = (text: string) => text.toUpperCase();
      const forged = [
        token.replace(family, other),
        token.replace(family, 'ak1'),
        token.replace(family, upper(family)),
        `${family}_${upper(account)}_${id}_${secret}`,
        `${family}_${account}_${upper(id)}_${secret}`,
        `${family}_${id}_${account}_${secret}`,
        `${family}_${account}_${id}_${secret.slice(0, -1)}${sloppy ?? ''}`,
        `${family}_${account}_${id}_${key.token.slice(-43)}`,
        `${token}=`,
        `${token}A`,
        token.slice(0, -1),
        `${family}_${id}_${secret}`,
      ];
      for (const each of forged) {
        expect(await view.identity({ token: each }), each).toBe(refused.unauthorized);
      }
      expect(await view.identity(session)).toBe('200');
    },
  );

  inBothViews(
    'CON-33 is shown once and appears neither in the store nor in a response',
    async (view) => {
      const { ann, session } = await view.opened();
      const secret = session.token.slice(-43);
      const bytes = Buffer.from(secret, 'base64url');
      const found: boolean[] = [];
      await view.t.store.scan(({ key, value }) => {
        const entry = Buffer.concat([key, value]);
        found.push(entry.includes(bytes) || entry.includes(secret));
      });
      expect(found).not.toContain(true);
      const shown = JSON.stringify([await view.account(ann), (await view.list()).body]);
      expect(shown).not.toContain(secret);
      expect(JSON.stringify(await view.events('login'))).not.toContain(secret);
    },
  );

  for (const kind of ['tenant', 'global'] as const) {
    test(`INS-C48 beside an API key is 401, whichever is valid (${kind})`, async () => {
      const [, http] = drivers;
      if (http === undefined) throw new Error('There is no way in over HTTP.');
      await using view = await viewOf(http, kind);
      const { session } = await view.opened();
      const { token: key } = await view.apiKey(session);
      const path = kind === 'tenant' ? '/api/v1/identity' : '/api/v1/admin/identity';
      const ask = async (headers: Record<string, string>) =>
        outcome(await send(appOf(view.t.keep), 'GET', path, { headers }));
      for (const bearer of [session.token, 'x', view.admin.token]) {
        for (const each of [key, 'x', '']) {
          expect(await ask({ Authorization: `Bearer ${bearer}`, 'X-API-Key': each })).toBe(
            refused.unauthorized,
          );
        }
      }
      expect(await ask({ Authorization: `bEARER ${session.token}` })).toBe('200');
      expect(await ask({ 'X-API-Key': key })).toBe('200');
      expect(await ask({ 'X-API-Key': session.token })).toBe(refused.unauthorized);
      expect(await ask({ Authorization: `Bearer ${key}` })).toBe(refused.unauthorized);
    });
  }
});

describe('32 live sessions', () => {
  /** Returns the indexes of the live sessions. */
  async function live(view: View, sessions: readonly Holder[]): Promise<number[]> {
    const found = await Promise.all(sessions.map((each) => view.identity(each)));
    return found.flatMap((each, index) => (each === '200' ? [index] : []));
  }

  const upTo = (from: number, to: number): number[] =>
    Array.from({ length: to - from }, (_, index) => from + index);

  async function many(view: View, count: number): Promise<Holder[]> {
    const sessions: Holder[] = [];
    for (let made = 0; made < count; made += 1) sessions.push(await view.session('ann'));
    return sessions;
  }

  inBothViews('LOG-C43 the oldest is replaced by a new one', async (view) => {
    await view.made('ann', await view.key());
    const sessions = await many(view, 32);
    expect(await live(view, sessions)).toEqual(upTo(0, 32));
    sessions.push(await view.session('ann'));
    expect(await live(view, sessions)).toEqual(upTo(1, 33));
    sessions.push(...(await many(view, 2)));
    expect(await live(view, sessions)).toEqual(upTo(3, 35));
  });

  inBothViews('dead ones are replaced first', async (view) => {
    const { clock } = view.t;
    const key = await view.key();
    await view.made('ann', key);
    const early = await many(view, 10);
    clock.advance(LIFE_MS - 1);
    const late = await many(view, 22);
    clock.advance(1);
    // Ten have expired, so ten more fit beside the others.
    late.push(...(await many(view, 10)));
    expect(await live(view, early)).toEqual([]);
    expect(await live(view, late)).toEqual(upTo(0, 32));
    result(await view.rotate(key));
    const pinned = await many(view, 32);
    expect(await live(view, late)).toEqual([]);
    expect(await live(view, pinned)).toEqual(upTo(0, 32));
  });

  inBothViews('logged-out ones free their places', async (view) => {
    await view.made('ann', await view.key());
    const sessions = await many(view, 32);
    result(await view.call('logout', {}, sessions[7]));
    sessions.push(await view.session('ann'));
    expect(await live(view, sessions)).toEqual(upTo(0, 33).filter((index) => index !== 7));
  });

  inBothViews('sessions with access tokens are counted separately', async (view) => {
    await view.made('ann', await view.key());
    const jwt = await view.jwt('ann');
    const sessions = await many(view, 32);
    expect(await view.identity(jwt)).toBe('200');
    expect(await live(view, sessions)).toEqual(upTo(0, 32));
  });

  inBothViews('those of another account stay', async (view) => {
    const key = await view.key();
    await view.made('ann', key);
    await view.made('bob', key);
    const bob = await view.session('bob');
    await many(view, 33);
    expect(await view.identity(bob)).toBe('200');
  });
});

for (const driver of drivers) {
  for (const kind of ['tenant', 'global'] as const) {
    test(`LOG-C44 a session survives a restart, until it ends (${kind}, ${driver.name})`, async () => {
      const store = lasting();
      const view = await viewOf(driver, kind, store);
      const key: Key = await view.key();
      await view.made('ann', key);
      const [session, ended] = [await view.session('ann'), await view.session('ann')];
      result(await view.call('logout', {}, ended));
      await view.t.keep.close();
      const { clock } = view.t;
      await using keep: Keep = await openKeep({ store, clock, passwords: quickPasswords, tokens });
      const transport = driver.open(keep);
      const identity = async ({ token }: Holder) =>
        outcome(await transport(view.names.identity, token, {}));
      expect(await identity(session)).toBe('200');
      expect(await identity(ended)).toBe(refused.unauthorized);
      clock.advance(LIFE_MS);
      expect(await identity(session)).toBe(refused.unauthorized);
    });
  }
}
