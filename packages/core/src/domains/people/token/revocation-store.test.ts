/** Entering, finding, counting, removing and checking revocations. */
import { describe, expect, test } from 'vitest';
import { systemEntropy } from '../../../kernel/ports/entropy.js';
import { uuidV7Generator } from '../../../kernel/ports/ids.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import {
  addRevocation,
  checkRevocations,
  countRevocations,
  isRevoked,
  removeExpiredRevocations,
  type RevokedToken,
  revocationExpiries,
  revokedTokens,
} from './revocation-store.js';
import type { Store } from '../../../storage/store/store.js';
import { testStore } from '@agentkeep/testkit/test-store';

const newId = uuidV7Generator(new ManualClock(), systemEntropy);
const ann = newId();
const ben = newId();

function revoked(accountId: string, expiresAtMillis: number): RevokedToken {
  return {
    jti: newId(),
    accountId,
    username: 'ann',
    revokedAtMillis: 1_000,
    expiresAtMillis,
    reason: 'logout',
  };
}

test('a token is revoked once, and only for its account', async () => {
  const store = testStore();
  const token = revoked(ann, 5_000);
  expect(await store.transact((tx) => addRevocation(tx, token))).toBe(true);
  const again = { ...token, reason: 'other', revokedAtMillis: 2_000 };
  expect(await store.transact((tx) => addRevocation(tx, again))).toBe(false);
  await store.read((tx) => {
    expect(isRevoked(tx, ann, token.jti)).toBe(true);
    expect(isRevoked(tx, ben, token.jti)).toBe(false);
    expect(isRevoked(tx, ann, newId())).toBe(false);
    expect(revokedTokens.get(tx, INSTALLATION, ann, token.jti)).toEqual(token);
  });
});

describe('the number of entries of an account', () => {
  const count = (store: Store, id: string) => store.read((tx) => countRevocations(tx, id));

  test('follows additions and removals', async () => {
    const store = testStore();
    const token = revoked(ann, 3_000);
    await store.transact((tx) => {
      for (const entry of [token, token, revoked(ann, 4_000)]) addRevocation(tx, entry);
      addRevocation(tx, revoked(ben, 9_000));
    });
    expect(await count(store, ann)).toBe(2);
    expect(await count(store, ben)).toBe(1);
    expect(await count(store, newId())).toBe(0);
    await store.transact((tx) => removeExpiredRevocations(tx, 3_000, 9));
    expect(await count(store, ann)).toBe(1);
    await store.transact((tx) => removeExpiredRevocations(tx, 4_000, 9));
    expect(await count(store, ann)).toBe(0);
  });
});

test('expired entries are removed with their index, a bounded number at a time', async () => {
  const store = testStore();
  const tokens = [3_000, 3_000, 4_000, 5_000].map((expiry) => revoked(ann, expiry));
  await store.transact((tx) => {
    for (const token of tokens) addRevocation(tx, token);
  });
  const remove = (nowMs: number, max: number) =>
    store.transact((tx) => removeExpiredRevocations(tx, nowMs, max));
  expect(await remove(2_999, 9)).toBe(0);
  expect(await remove(4_000, 2)).toBe(2);
  expect(await remove(4_000, 2)).toBe(1);
  expect(await remove(4_000, 2)).toBe(0);
  const left = await store.read((tx) => tokens.map(({ jti }) => isRevoked(tx, ann, jti)));
  expect(left).toEqual([false, false, false, true]);
  // The entry that is left, its expiry and the number of entries.
  expect((await store.stats()).entries).toBe(3);
});

describe('a check of the list', () => {
  test('goes through all entries in pieces', async () => {
    const store = testStore();
    const check = async (max: number): Promise<number> => {
      let pieces = 0;
      let after: ReturnType<typeof checkRevocations>;
      do {
        const from = after;
        after = await store.read((tx) => checkRevocations(tx, from, max));
        pieces += 1;
      } while (after !== undefined);
      return pieces;
    };
    expect(await check(2)).toBe(1);
    await store.transact((tx) => {
      for (let index = 0; index < 5; index += 1) {
        addRevocation(tx, revoked(index % 2 === 0 ? ann : ben, 5_000 + index));
      }
    });
    expect(await check(2)).toBe(3);
    expect(await check(9)).toBe(1);
  });

  test('SES-94 finds a damaged entry', async () => {
    const store = testStore();
    const token = revoked(ann, 5_000);
    await store.transact((tx) => {
      addRevocation(tx, token);
      const { key } = revokedTokens.seal(token, INSTALLATION, ann, token.jti);
      tx.put(key, Buffer.from('damaged'));
    });
    const damaged = { code: 'storage_inconsistency' };
    await expect(store.read((tx) => checkRevocations(tx, undefined, 9))).rejects.toMatchObject(
      damaged,
    );
    await expect(store.read((tx) => isRevoked(tx, ann, token.jti))).rejects.toMatchObject(damaged);
  });

  test('finds an entry that would never be removed', async () => {
    const store = testStore();
    const token = revoked(ann, 5_000);
    await store.transact((tx) => {
      addRevocation(tx, token);
      tx.remove(revocationExpiries.keyOf(INSTALLATION, 5_000, ann, token.jti));
    });
    await expect(store.read((tx) => checkRevocations(tx, undefined, 9))).rejects.toMatchObject({
      code: 'storage_inconsistency',
    });
  });
});
