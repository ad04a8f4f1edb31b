/** When a key is generated, that all processes agree on it, and which keys verify. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { Store } from '../../../storage/store/store.js';
import { digestsOf, rememberSettings } from '../../../kernel/installation/security-settings.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { exportSigningKey, generateSigningKey, signingKeyFromPem } from './rsa-key.js';
import { signingKeys } from './signing-key-store.js';
import { type GivenKeys, SigningKeys } from './signing-keys.js';
import { testStore } from '@agentkeep/testkit/test-store';

const clock = new ManualClock();
const none: GivenKeys = { signing: undefined, additional: undefined };

function newKey() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return signingKeyFromPem('key', privateKey.export({ format: 'pem', type: 'pkcs8' }).toString());
}

const [one, other] = [newKey(), newKey()];

function keysOf(store: Store, given: GivenKeys = none, generate = generateSigningKey) {
  return new SigningKeys({ store, clock, given, generate });
}

/** Fails a test in which a key is generated. */
function neverMade(): Promise<never> {
  return Promise.reject(new Error('A key was made.'));
}

async function storedKids(store: Store): Promise<string[]> {
  return store.read((tx) =>
    Array.from(signingKeys.rows(tx, INSTALLATION, { prefix: [] }), ({ value }) => value.kid),
  );
}

describe('the stored key', () => {
  test('SES-73 is generated once, on demand, and found at the next opening', async () => {
    const store = testStore();
    let made = 0;
    const keys = keysOf(store, none, () => {
      made += 1;
      return Promise.resolve(one);
    });
    expect(await keys.verifying(one.jwk.kid)).toBeUndefined();
    expect(await storedKids(store)).toEqual([]);
    const [first, second] = await Promise.all([keys.signing(), keys.signing()]);
    expect([first.jwk.kid, second.jwk.kid, made]).toEqual([one.jwk.kid, one.jwk.kid, 1]);
    const later = keysOf(store, none, neverMade);
    expect((await later.verifying(one.jwk.kid))?.jwk).toEqual(one.jwk);
    expect((await later.signing()).privateKey.equals(one.privateKey)).toBe(true);
  });

  test('is the same for all processes that open a store together', async () => {
    const store = testStore();
    const openers = [one, other].map((key) => keysOf(store, none, () => Promise.resolve(key)));
    const signing = await Promise.all(openers.map((keys) => keys.signing()));
    const [kid] = await storedKids(store);
    expect(signing.map(({ jwk }) => jwk.kid)).toEqual([kid, kid]);
    expect(await storedKids(store)).toHaveLength(1);
  });

  test('is known to a process that opened the store before another one made it', async () => {
    const store = testStore();
    const early = keysOf(store, none, neverMade);
    expect(await early.verifying(one.jwk.kid)).toBeUndefined();
    await keysOf(store, none, () => Promise.resolve(one)).signing();
    expect((await early.verifying(one.jwk.kid))?.jwk).toEqual(one.jwk);
    // From then on at once.
    expect(early.verifying(one.jwk.kid)).toMatchObject({ jwk: one.jwk });
  });

  test('is generated again after a failure', async () => {
    const store = testStore();
    let attempts = 0;
    const keys = keysOf(store, none, () => {
      attempts += 1;
      return attempts === 1 ? Promise.reject(new Error('busy')) : Promise.resolve(one);
    });
    await expect(keys.signing()).rejects.toThrow('busy');
    expect((await keys.signing()).jwk).toEqual(one.jwk);
  });

  test.each([
    ['is no key', 'AAAA', one.jwk.kid],
    ['has another name', exportSigningKey(one).toString('base64'), other.jwk.kid],
  ])('that %s fails every use and is not shown', async (_, pkcs8, kid) => {
    const store = testStore();
    await store.transact((tx) => {
      signingKeys.put(tx, { kid, pkcs8, createdAtMillis: 0 }, INSTALLATION, kid);
    });
    const keys = keysOf(store, none, neverMade);
    const damaged = new AgentkeepError('storage_inconsistency');
    await expect(keys.prepare()).rejects.toStrictEqual(damaged);
    await expect(keys.signing()).rejects.toStrictEqual(damaged);
    await expect(keys.verifying(kid)).rejects.toStrictEqual(damaged);
  });
});

describe('a start without a key', () => {
  /** Starts a server with these keys. Returns the names of the settings that changed. */
  async function startWith(store: Store, keys: SigningKeys): Promise<string[]> {
    await keys.prepare();
    return store.transact((tx) =>
      rememberSettings(tx, digestsOf({ host: '::', signing_keys: keys.kids(tx) })),
    );
  }

  const changed = ['signing_keys'];

  test('does not wait for one, and the first use does', async () => {
    const store = testStore();
    let finish: (key: typeof one) => void = () => undefined;
    const keys = keysOf(store, none, () => new Promise((resolve) => (finish = resolve)));
    expect(await startWith(store, keys)).toEqual([]);
    expect(await storedKids(store)).toEqual([]);
    const used = keys.signing();
    finish(one);
    expect((await used).jwk).toEqual(one.jwk);
    expect(await store.read((tx) => keys.kids(tx))).toEqual([one.jwk.kid]);
  });

  test('leaves nothing that the next start takes for a change', async () => {
    const store = testStore();
    const keys = keysOf(store, none, () => Promise.resolve(one));
    expect(await startWith(store, keys)).toEqual([]);
    await keys.signing();
    expect(await startWith(store, keysOf(store, none, neverMade))).toEqual([]);
    const given = { signing: other, additional: undefined };
    expect(await startWith(store, keysOf(store, given, neverMade))).toEqual(changed);
  });

  test('that ends before it has one is as if there had been none', async () => {
    const store = testStore();
    const failing = () => Promise.reject(new Error('ended'));
    expect(await startWith(store, keysOf(store, none, failing))).toEqual([]);
    expect(await startWith(store, keysOf(store, none, failing))).toEqual([]);
    const given = { signing: other, additional: undefined };
    expect(await startWith(store, keysOf(store, given, neverMade))).toEqual(changed);
    // The supplied key is taken away again, and the first key of the store is made.
    const keys = keysOf(store, none, () => Promise.resolve(one));
    expect(await startWith(store, keys)).toEqual(changed);
    await keys.signing();
    expect(await startWith(store, keysOf(store, none, neverMade))).toEqual([]);
  });

  test('beside another one agrees with it', async () => {
    const store = testStore();
    const additional = newKey();
    const servers = [one, other].map((key) =>
      keysOf(store, { signing: undefined, additional }, () => Promise.resolve(key)),
    );
    expect(await Promise.all(servers.map((keys) => startWith(store, keys)))).toEqual([[], []]);
    await Promise.all(servers.map((keys) => keys.signing()));
    const [kid] = await storedKids(store);
    for (const keys of servers) {
      expect(await startWith(store, keys)).toEqual([]);
      expect(await store.read((tx) => keys.kids(tx))).toEqual([kid, additional.jwk.kid]);
      expect((await keys.verifyingKeys()).map(({ jwk }) => jwk.kid)).toEqual([
        kid,
        additional.jwk.kid,
      ]);
    }
  });

  test('keeps what another server stored of its settings', async () => {
    const store = testStore();
    const keys = keysOf(store, none, () => Promise.resolve(one));
    await store.transact((tx) => rememberSettings(tx, digestsOf({ signing_keys: ['theirs'] })));
    await keys.signing();
    expect(
      await store.transact((tx) => rememberSettings(tx, digestsOf({ signing_keys: ['theirs'] }))),
    ).toEqual([]);
  });
});

describe('a given key', () => {
  test('replaces the stored key, which then verifies nothing', async () => {
    const store = testStore();
    await keysOf(store, none, () => Promise.resolve(one)).signing();
    const keys = keysOf(store, { signing: other, additional: undefined }, neverMade);
    expect((await keys.signing()).jwk).toEqual(other.jwk);
    expect(keys.verifying(one.jwk.kid)).toBeUndefined();
    expect((await keys.verifyingKeys()).map(({ jwk }) => jwk)).toEqual([other.jwk]);
  });

  test('generates none in the store', async () => {
    const store = testStore();
    await keysOf(store, { signing: other, additional: undefined }, neverMade).signing();
    expect(await storedKids(store)).toEqual([]);
  });

  test('can be for verification only, beside one that signs', async () => {
    const keys = keysOf(testStore(), { signing: other, additional: one }, neverMade);
    expect((await keys.verifyingKeys()).map(({ jwk }) => jwk)).toEqual([other.jwk, one.jwk]);
    expect(keys.verifying(one.jwk.kid)).toMatchObject({ jwk: one.jwk });
    expect(keys.verifying(one.jwk.kid)).not.toHaveProperty('privateKey');
  });

  test('counts once if it is given twice', async () => {
    const store = testStore();
    const keys = keysOf(store, { signing: one, additional: one }, neverMade);
    await keys.prepare();
    expect(await keys.verifyingKeys()).toHaveLength(1);
    expect(await store.read((tx) => keys.kids(tx))).toEqual([one.jwk.kid]);
  });
});
