/** Unused sessions end, and used sessions don't. */
import { beforeEach, describe, expect, test } from 'vitest';
import {
  type Authenticator,
  HeldProof,
  type Principal,
  readWithEffects,
} from '../../../kernel/access/principal.js';
import { UseLog } from '../../../kernel/services/use-log.js';
import type { Store } from '../../../storage/store/store.js';
import { underIdleLimit } from './idle-limit.js';
import { idleLimitMs } from './open-session.js';
import { findSession, putSession, type StoredSession } from './session-store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const MINUTE_MS = 60_000;
const session: StoredSession = {
  authority: 'acme',
  accountId: '01934f2a-7c1b-7000-8000-000000000001',
  id: '01934f2a-7c1b-7000-8000-000000000002',
  kind: 'jwt',
  verifier: 'v',
  pinned: null,
  createdAtMillis: 0,
  expiresAtMillis: 1_440 * MINUTE_MS,
  lastUsedMillis: 0,
  signIn: null,
};
const { authority, accountId, id: sessionId } = session;

let store: Store;
let uses: UseLog;

beforeEach(async () => {
  store = testStore();
  uses = new UseLog(store);
  await store.transact((tx) => {
    putSession(tx, session);
  });
});

/** Accepts any proof while the session has a row. */
const proving =
  (token: { jti: string; expiresAtSecs: number } | null): Authenticator =>
  (tx) => {
    if (findSession(tx, authority, accountId, sessionId) === undefined) return undefined;
    const held = new HeldProof({ kind: 'session', authority, accountId, sessionId, token });
    return { id: accountId, held } as Principal;
  };

const ofToken = proving({ jti: 'j', expiresAtSecs: 1_000_000 });

/** Returns whether the session is accepted at a minute, and stores the resulting use. */
function use(authenticate: Authenticator): (minute: number) => Promise<boolean> {
  return async (minute) => {
    const proof = { kind: 'bearer', token: 't' } as const;
    const found = await readWithEffects(store, (tx, effects) =>
      authenticate(tx, proof, minute * MINUTE_MS, effects),
    );
    await uses.flush();
    await store.transact(() => undefined);
    return found !== undefined;
  };
}

const stored = () => store.read((tx) => findSession(tx, authority, accountId, sessionId));

test('a session that was idle for longer than the limit ends for good', async () => {
  const at = use(underIdleLimit(ofToken, { store, uses, idleMs: 30 * MINUTE_MS }));
  expect(await at(30)).toBe(true);
  expect(await at(61)).toBe(false);
  expect(await stored()).toBeUndefined();
  expect(await at(61)).toBe(false);
  // Also when the clock is set back.
  expect(await at(31)).toBe(false);
});

test('a used session stays live, and its use is stored once a minute', async () => {
  const at = use(underIdleLimit(ofToken, { store, uses, idleMs: MINUTE_MS }));
  for (let minute = 0.9; minute < 20; minute += 0.9) expect(await at(minute)).toBe(true);
  const { lastUsedMillis = 0 } = (await stored()) ?? {};
  expect(lastUsedMillis).toBeGreaterThan(18 * MINUTE_MS);
});

test('no session ends early because stored times are imprecise', async () => {
  const at = use(underIdleLimit(ofToken, { store, uses, idleMs: MINUTE_MS }));
  expect(await at(0.99)).toBe(true);
  expect((await stored())?.lastUsedMillis).toBe(0);
  expect(await at(1.99)).toBe(true);
});

test('a use that is stored late keeps a later one from another server', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const late = new UseLog({ transact: (body) => held.then(() => store.transact(body)) });
  const limit = { store, idleMs: 30 * MINUTE_MS };
  const proof = { kind: 'bearer', token: 't' } as const;
  const prove = (log: UseLog, minute: number) =>
    readWithEffects(store, (tx, effects) =>
      underIdleLimit(ofToken, { ...limit, uses: log })(tx, proof, minute * MINUTE_MS, effects),
    );
  await prove(late, 2);
  await prove(uses, 4);
  await uses.flush();
  release();
  await late.flush();
  expect((await stored())?.lastUsedMillis).toBe(4 * MINUTE_MS);
});

test('opaque sessions and sessions without a limit never idle out', async () => {
  const opaque = use(underIdleLimit(proving(null), { store, uses, idleMs: MINUTE_MS }));
  expect(await opaque(1_000)).toBe(true);
  expect(underIdleLimit(ofToken, { store, uses, idleMs: 0 })).toBe(ofToken);
});

describe('the limit', () => {
  test('is off by default, or a minute to a day', () => {
    const read = [{}, { idleSeconds: 0 }, { idleSeconds: 60 }, { idleSeconds: 86_400 }].map(
      idleLimitMs,
    );
    expect(read).toEqual([0, 0, 60_000, 86_400_000]);
    for (const idleSeconds of [-1, 1, 59, 86_401, 60.5, Number.NaN]) {
      expect(() => idleLimitMs({ idleSeconds })).toThrow(
        new TypeError('sessions.idleSeconds must be 0 or an integer from 60 to 86400.'),
      );
    }
  });
});
