/** Sign-ins by issuers on several servers (docs/contract/openid.md#oid-23). */
import {
  callbackOf,
  logoutToken,
  PEOPLE_ISSUER,
  peoplePorts,
} from '@agentkeep/testkit/test-sign-in';
import { expect, test } from 'vitest';
import {
  administrator,
  codeOf,
  PASSWORD,
  type Server,
  type ServerPorts,
  twoServers,
  type TwoServers,
} from '../../../../test/servers.js';
import { embeddedInput } from '../../../kernel/input/input.js';
import { operations } from '../../../domains.js';
import type { Store } from '../../../storage/store/store.js';
import { storeOver } from '../../../testing.js';

const REFUSED = 'sign_in_refused';
const claims = { sub: 'u1', sid: 's1', preferred_username: 'ann', groups: ['dev'] };

/** Two servers of an installation whose people sign in by an issuer. */
async function prepared(ports: ServerPorts = {}): Promise<TwoServers> {
  const servers = await twoServers({ ...peoplePorts, ...ports });
  const { signIn } = await administrator(servers.one);
  const rule = { claims: [{ path: ['groups'], value: 'dev' }], creates_accounts: true };
  const issuer = { name: 'staff', issuer: PEOPLE_ISSUER, client_id: 'agentkeep', rules: [rule] };
  await signIn.putSettings({ issuers: [issuer] }, 0);
  return servers;
}

function begin({ keep }: Server) {
  const document = { issuer: 'staff', redirect_uri: 'https://memory.example.test/back' };
  return keep.invoke(operations.beginSignIn, embeddedInput({ document }), {});
}

function logOut({ keep }: Server, token: string) {
  const document = { issuer: 'staff', logout_token: token };
  return keep.invoke(operations.receiveIssuerLogout, embeddedInput({ document }), {});
}

function complete({ keep }: Server, attempt: string, callback: string) {
  const document = { attempt, callback };
  return keep.invoke(operations.completeSignIn, embeddedInput({ document }), {});
}

test('OID-23 a sign-in that one server began is completed at the other, once', async () => {
  await using servers = await prepared();
  const { one, other } = servers;
  const { attempt, authorization_url: url } = await begin(one);
  const callback = callbackOf(url, claims);
  const tries = [other, one, other, one, other, one];
  const codes = await Promise.all(
    tries.map((server) => codeOf(complete(server, attempt, callback))),
  );
  expect(codes.filter((code) => code === 'none')).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['none', REFUSED]));
});

test('OID-21 first sign-ins at the same time make one account', async () => {
  await using servers = await prepared();
  const { one, other } = servers;
  const people = await Promise.all(
    [one, other, one, other].map(async (server, at, all) => {
      const { attempt, authorization_url: url } = await begin(server);
      const elsewhere = all[(at + 1) % all.length] ?? server;
      return complete(elsewhere, attempt, callbackOf(url, claims));
    }),
  );
  expect(new Set(people.map(({ user_id }) => user_id)).size).toBe(1);
});

test('OID-16, OID-17, OID-30 what one server commits counts at the other at once', async () => {
  await using servers = await prepared();
  const { one, other } = servers;
  const first = await begin(one);
  const tokens = await complete(one, first.attempt, callbackOf(first.authorization_url, claims));
  await other.keep.authenticate(tokens.access_token);
  const token = logoutToken(one.clock.now(), { sid: 's1' });
  await logOut(other, token);
  expect(await codeOf(logOut(one, token))).toBe('logout_token_refused');
  expect(await codeOf(one.keep.authenticate(tokens.access_token))).toBe('unauthorized');
  const under = await begin(one);
  const { signIn } = (await other.keep.logIn({ username: 'root', password: PASSWORD }))
    .administrator;
  const { revision, issuers } = await signIn.settings();
  const kept = issuers.map(({ has_client_secret: _, ...issuer }) => issuer);
  await signIn.putSettings({ issuers: kept, allows_passwords: false }, revision);
  const late = complete(one, under.attempt, callbackOf(under.authorization_url, claims));
  expect(await codeOf(late)).toBe(REFUSED);
  expect(await codeOf(one.keep.logIn({ username: 'root', password: PASSWORD }))).toBe(
    'passwords_not_allowed',
  );
});

/** A commit that has come to a server, and waits there. */
class HeldCommit {
  readonly arrived: Promise<undefined>;
  release = (): void => undefined;
  #arrive = (): void => undefined;
  readonly #released: Promise<undefined>;

  constructor() {
    this.#released = new Promise((resolve) => {
      this.release = () => {
        resolve(undefined);
      };
    });
    this.arrived = new Promise((resolve) => {
      this.#arrive = () => {
        resolve(undefined);
      };
    });
  }

  async wait(): Promise<void> {
    this.#arrive();
    await this.#released;
  }
}

/** Signs a person in from the beginning; what was used and has ended is removed. */
async function signInAnew(server: Server): Promise<void> {
  const { attempt, authorization_url: url } = await begin(server);
  await complete(server, attempt, callbackOf(url, claims));
}

test.each([
  ['a sign-in', 600_000],
  ['a logout token', 180_000],
] as const)('OID-23, OID-29 %s that was used does not count when it ends', async (what, lifeMs) => {
  const holding: HeldCommit[] = [];
  const through = (store: Store): Store =>
    storeOver(store, {
      transact: async (body) => {
        await holding.pop()?.wait();
        return store.transact(body);
      },
    });
  await using servers = await prepared({ through });
  const { one, other } = servers;
  const { attempt, authorization_url: url } = await begin(one);
  const token = logoutToken(one.clock.now(), { sub: 'u1' });
  const use = () =>
    what === 'a sign-in' ? complete(one, attempt, callbackOf(url, claims)) : logOut(one, token);
  await use();
  const held = new HeldCommit();
  holding.push(held);
  const again = codeOf(use());
  await held.arrived;
  one.clock.advance(lifeMs);
  await signInAnew(other);
  // Long enough for every server to have forgotten it.
  one.clock.advance(60_000);
  await signInAnew(other);
  held.release();
  expect(await again).toBe(what === 'a sign-in' ? REFUSED : 'logout_token_refused');
});
