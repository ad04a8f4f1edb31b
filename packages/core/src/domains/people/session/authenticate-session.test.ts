/** A session authenticates its account until something that it depends on ends. */
import { describe, expect, test } from 'vitest';
import type { HeldSubject } from '../../../kernel/access/principal.js';
import {
  formatSecret,
  parseSecret,
  type Secret,
  SecretReader,
  verifierOf,
} from '../../../kernel/access/secret.js';
import { insertAccount, updateAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import {
  insertCredential,
  type StoredCredential,
  updateCredential,
} from '../../tenancy/credential/credential-store.js';
import type { Store, WriteTx } from '../../../storage/store/store.js';
import { authenticateBySessionSecret, authenticateHeldSession } from './authenticate-session.js';
import { sessionsThatGiveWay } from './session-policy.js';
import { putSession, removeSessions, type StoredSession } from './session-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const accountId = '01934f2a-7c1b-7000-8000-000000000001';
const sessionId = '01934f2a-7c1b-7000-8000-000000000002';
const credentialId = '01934f2a-7c1b-7000-8000-000000000003';
const END = 1_000_000;

const account: StoredAccount = {
  authority: 'acme',
  id: accountId,
  username: 'ann',
  email: null,
  roles: ['Read', 'Admin'],
  isActive: true,
  credentialId,
  revision: 1,
  createdAtMillis: 1,
  updatedAtMillis: 1,
  lastLoginMillis: null,
  disabledAtMillis: null,
  deletedAtMillis: null,
  links: null,
};

const credential: StoredCredential = {
  id: credentialId,
  tenantId: 'acme',
  spec: {
    subject_id: 's',
    capabilities: ['memory_read'],
    grants: [],
    expires_at_millis: 900_000,
  },
  revision: 1,
  verifier: 'v',
  revokedAtMillis: null,
  previous: null,
  federation: null,
  program: null,
};

const secret: Secret = {
  kind: 'akst1',
  id: accountId,
  sessionId,
  bytes: new Uint8Array(32),
};

const session: StoredSession = {
  authority: 'acme',
  accountId,
  id: sessionId,
  kind: 'opaque',
  verifier: verifierOf(secret),
  pinned: { credentialId, revision: 1 },
  createdAtMillis: 1,
  expiresAtMillis: END,
  lastUsedMillis: 1,
  signIn: null,
};

const made = (revision: number) =>
  ({ revision, action: 'login_account_updated', actor_id: accountId, at_millis: 1 }) as const;
const issued = (revision: number) =>
  ({ revision, action: 'issued', actor_id: credentialId, at_millis: 1 }) as const;

async function open(): Promise<Store> {
  const store = testStore();
  await store.transact((tx) => {
    insertCredential(tx, credential, issued(1));
    insertAccount(tx, account, 'hash', made(1));
    putSession(tx, session);
  });
  return store;
}

const bySecret = (store: Store, given: Secret = secret, nowMs = 10) => {
  const presented = new SecretReader().read(formatSecret(given));
  return store.read((tx) => presented && authenticateBySessionSecret(tx, presented, nowMs));
};

describe('an opaque session', () => {
  test('authenticates its account with the current roles and credential', async () => {
    const store = await open();
    expect(await bySecret(store)).toMatchObject({
      kind: 'account',
      id: accountId,
      username: 'ann',
      role: 'Admin',
      authority: { kind: 'tenant', tenant_id: 'acme' },
      credential: { id: credentialId },
      presence: { kind: 'session', sessionId },
    });
    const read = parseSecret(formatSecret(secret));
    expect(read && (await bySecret(store, read))).toBeDefined();
  });

  test.each<[string, Secret]>([
    ['another kind', { ...secret, kind: 'aksg1' }],
    ['other bytes', { ...secret, bytes: new Uint8Array(32).fill(1) }],
    ['an unknown account', { ...secret, id: sessionId }],
    ['an unknown session', { ...secret, sessionId: accountId }],
  ])('is not proved by %s', async (_, other) => {
    expect(await bySecret(await open(), other)).toBeUndefined();
  });

  test('ends at its own expiry and at that of the credential', async () => {
    const store = await open();
    expect(await bySecret(store, secret, 899_999)).toBeDefined();
    expect(await bySecret(store, secret, 900_000)).toBeUndefined();
    await store.transact((tx) => {
      const spec = { ...credential.spec, expires_at_millis: null };
      insertCredential(tx, { ...credential, spec }, issued(1));
    });
    expect(await bySecret(store, secret, END - 1)).toBeDefined();
    expect(await bySecret(store, secret, END)).toBeUndefined();
  });

  test.each<[string, (tx: WriteTx) => void]>([
    [
      'its account is switched off',
      (tx) => {
        updateAccount(tx, account, { ...account, isActive: false, revision: 2 }, made(2));
      },
    ],
    [
      'its account is disabled',
      (tx) => {
        updateAccount(tx, account, { ...account, disabledAtMillis: 1, revision: 2 }, made(2));
      },
    ],
    [
      'its credential has another revision',
      (tx) => {
        updateCredential(tx, { ...credential, revision: 2 }, issued(2));
      },
    ],
    [
      'its credential is revoked',
      (tx) => {
        updateCredential(tx, { ...credential, revokedAtMillis: 1 }, issued(1));
      },
    ],
    [
      'all sessions of its account are ended',
      (tx) => {
        expect(removeSessions(tx, 'acme', accountId)).toBe(1);
      },
    ],
  ])('ends when %s', async (_, end) => {
    const store = await open();
    await store.transact(end);
    expect(await bySecret(store)).toBeUndefined();
  });
});

test('an access token proves a session of its kind until it expires', async () => {
  const store = await open();
  const jwt: StoredSession = { ...session, id: accountId, kind: 'jwt' };
  await store.transact((tx) => {
    putSession(tx, jwt);
  });
  const held: HeldSubject = {
    kind: 'session',
    authority: 'acme',
    accountId,
    sessionId: jwt.id,
    token: { jti: 'j', expiresAtSecs: 100 },
  };
  const prove = (subject: typeof held, nowMs: number) =>
    store.read((tx) => authenticateHeldSession(tx, subject, nowMs));
  expect(await prove(held, 99_999)).toMatchObject({ presence: { jti: 'j' } });
  expect(await prove(held, 100_000)).toBeUndefined();
  // Opaque sessions and sessions of access tokens are not interchangeable.
  expect(await prove({ ...held, sessionId }, 10)).toBeUndefined();
  expect(await prove({ ...held, token: null }, 10)).toBeUndefined();
});

describe('sessionsThatGiveWay', () => {
  const bound = { credentialId, revision: 1 };
  const many = Array.from({ length: 33 }, (_, index) => ({ ...session, id: String(index) }));

  test('is empty as long as there is room', () => {
    expect(sessionsThatGiveWay(many.slice(0, 31), 'opaque', bound, 10)).toEqual([]);
    expect(sessionsThatGiveWay(many, 'jwt', bound, 10)).toEqual([]);
  });

  test('is the oldest beyond the bound', () => {
    const gone = sessionsThatGiveWay(many, 'opaque', bound, 10).map(({ id }) => id);
    expect(gone).toEqual(['0', '1']);
  });

  test('prefers dead sessions to live ones', () => {
    const dead = { ...session, id: 'dead', pinned: { credentialId, revision: 0 } };
    const some = [...many.slice(0, 31), dead];
    expect(sessionsThatGiveWay(some, 'opaque', bound, 10)).toEqual([dead]);
    expect(sessionsThatGiveWay(many, 'opaque', bound, END)).toEqual(many);
  });
});
