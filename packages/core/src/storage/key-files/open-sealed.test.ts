/** A sealed store over a store in memory, with keys in files. */
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { namespaces as namespaceFamily } from '../../kernel/access/namespace.js';
import { sealedFamilies } from '../../keep/sealed-families.js';
import { credentials as credentialFamily } from '../../domains/tenancy/credential/credential-store.js';
import { learningProcedures } from '../../domains/learning/procedure/procedure-store.js';
import { memoryNames } from '../../domains/memory/record/memory-store.js';
import { newKeys, newRootKey } from '../../../test/key-kit.js';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { jsonLayout, tupleLayout } from '../store/fields.js';
import { keyText } from '../store/bytes.js';
import { sha256 } from '../../contract/digest.js';
import { Subspace } from '../store/subspace.js';
import type { Entry, Store } from '../store/store.js';
import { type EncryptionOptions, openSealed, refuseSealed } from './open-sealed.js';

const namespaces = new Subspace(namespaceFamily, tupleLayout<(string | null)[]>(1));
const records = new Subspace(learningProcedures, jsonLayout<string>(1));
const names = new Subspace(memoryNames, jsonLayout<string>(1));
const credentials = new Subspace(credentialFamily, jsonLayout<string>(1));
const ID = '01934f2a-7c1b-7000-8000-000000000001';

const parts = { families: sealedFamilies, dataDir: undefined, now: () => Date.now() };
const stores: Store[] = [];

async function sealed(below: Store, keys: EncryptionOptions) {
  const opened = await openSealed(below, keys, parts);
  stores.push(opened.store);
  return opened;
}

afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
});

const scope = (subject: string | null) => [
  'p',
  null,
  'a',
  subject === null ? 'shared' : 'private',
  subject,
];
const digestOf = (subject: string | null) => sha256(JSON.stringify(scope(subject)));

function write(store: Store, subject: string | null, text: string): Promise<void> {
  return store.transact((tx) => {
    const digest = digestOf(subject);
    namespaces.put(tx, scope(subject), 'acme', digest);
    records.put(tx, text, 'acme', digest, 'one');
    names.put(tx, text, 'acme', digest, `name of ${text}`);
    credentials.put(tx, text, 'acme', ID);
  });
}

const read = (store: Store, subject: string | null): Promise<string | undefined> =>
  store.read((tx) => records.get(tx, 'acme', digestOf(subject), 'one'));

async function allBytes(store: Store): Promise<string> {
  const parts: string[] = [];
  await store.scan(({ key, value }: Entry) => {
    parts.push(keyText(key), keyText(value));
  });
  return parts.join('\n');
}

describe('a sealed store', () => {
  it('ENC-4, ENC-5, ENC-6 returns what was written, and stores none of it readably', async () => {
    const below = inMemoryStore();
    const keys = await newKeys();
    const { store } = await sealed(below, keys);
    await write(store, 'ann', 'canary-of-ann');
    await write(store, null, 'canary-of-all');
    expect(await read(store, 'ann')).toBe('canary-of-ann');
    expect(await read(store, null)).toBe('canary-of-all');
    const name = await store.read((tx) =>
      names.get(tx, 'acme', digestOf('ann'), 'name of canary-of-ann'),
    );
    expect(name).toBe('canary-of-ann');
    const bytes = await allBytes(below);
    expect(bytes).not.toContain('canary');
    expect(bytes).not.toContain('ann');
    // Ids of tenants stay readable.
    expect(bytes).toContain('acme');
    const other = await sealed(below, keys);
    expect(await read(other.store, 'ann')).toBe('canary-of-ann');
  });

  it('does not show in stored bytes that a content was written again', async () => {
    const below = inMemoryStore();
    const { store } = await sealed(below, await newKeys());
    await write(store, 'ann', 'text');
    const first = await allBytes(below);
    await write(store, 'ann', 'text');
    expect(await allBytes(below)).not.toBe(first);
    expect(await read(store, 'ann')).toBe('text');
  });

  it('ENC-9 destroys the key of one subject only, in every copy', async () => {
    const below = inMemoryStore();
    const keys = await newKeys();
    const { store, source } = await sealed(below, keys);
    await write(store, 'ann', 'of ann');
    await write(store, 'bob', 'of bob');
    const id = (await source.currentOf('acme', 'subject ann')) ?? '';
    expect(id).toHaveLength(16);
    await source.destroy('acme', [id]);
    await expect(read(store, 'ann')).rejects.toMatchObject({ code: 'key_destroyed' });
    expect(await read(store, 'bob')).toBe('of bob');
    const later = await sealed(below, keys);
    await expect(read(later.store, 'ann')).rejects.toMatchObject({ code: 'key_destroyed' });
    // What is written from now on has another key.
    await store.transact((tx) => {
      records.put(tx, 'new', 'acme', digestOf('ann'), 'two');
    });
    const added = store.read((tx) => records.get(tx, 'acme', digestOf('ann'), 'two'));
    expect(await added).toBe('new');
    // Entries can be listed and removed without a key; then nothing stands in the way.
    await store.transact((tx) => {
      const spans = [namespaces, records, names].flatMap((each) =>
        Array.from(each.entries(tx, 'acme', { prefix: [digestOf('ann')] as never }), ({ key }) =>
          Buffer.from(key),
        ),
      );
      expect(spans).toHaveLength(4);
      for (const key of spans) tx.remove(key);
    });
    await write(store, 'ann', 'anew');
    expect(await read(store, 'ann')).toBe('anew');
  });

  it('ENC-8 a tenant whose key is away is refused, and the others are served', async () => {
    const below = inMemoryStore();
    const keys = await newKeys();
    const first = await sealed(below, keys);
    await write(first.store, null, 'text');
    await first.store.transact((tx) => {
      credentials.put(tx, 'other', 'other', ID);
    });
    const digest = sha256('acme');
    const path = join(keys.keysDir, 'tenants', `${Buffer.from(digest).toString('hex')}.json`);
    await rm(path);
    const { store } = await sealed(below, keys);
    await expect(read(store, null)).rejects.toMatchObject({ code: 'key_unavailable' });
    const writing = write(store, null, 'new');
    await expect(writing).rejects.toMatchObject({ code: 'key_unavailable' });
    expect(await store.read((tx) => credentials.get(tx, 'other', ID))).toBe('other');
  });

  it('ENC-3 refuses a store without its keys, with other keys, and with another root key', async () => {
    const below = inMemoryStore();
    const keys = await newKeys();
    await refuseSealed(below);
    await write((await sealed(below, keys)).store, null, 'text');
    await expect(refuseSealed(below)).rejects.toThrow('This store is encrypted.');
    await expect(openSealed(below, await newKeys(), parts)).rejects.toThrow('other keys');
    const rootKey = { file: await newRootKey() };
    const wrong = openSealed(below, { ...keys, rootKey }, parts);
    await expect(wrong).rejects.toThrow('The root key does not open the keys');
    const absent = openSealed(below, { ...keys, rootKey: { file: '/nowhere' } }, parts);
    await expect(absent).rejects.toThrow('cannot be read');
    const inside = openSealed(below, keys, { ...parts, dataDir: join(keys.keysDir, '..') });
    await expect(inside).rejects.toThrow('lies in the data directory');
    await chmod(keys.rootKey.file, 0o644);
    await expect(openSealed(below, keys, parts)).rejects.toThrow('Set it to 0600');
    await writeFile(keys.rootKey.file, 'short', { mode: 0o600 });
    await chmod(keys.rootKey.file, 0o600);
    await expect(openSealed(below, keys, parts)).rejects.toThrow('5 bytes');
  });

  it('ENC-13 seals a plain store in slices, while it is read and written', async () => {
    const below = inMemoryStore();
    for (let at = 0; at < 150; at += 1) await write(below, `subject-${at}`, `canary-${at}`);
    const { store, sealSlice } = await sealed(below, await newKeys());
    let slices = 1;
    while (!(await sealSlice())) {
      const at = slices % 150;
      expect(await read(store, `subject-${at}`)).toBe(`canary-${at}`);
      const name = await store.read((tx) =>
        names.get(tx, 'acme', digestOf(`subject-${at}`), `name of canary-${at}`),
      );
      expect(name).toBe(`canary-${at}`);
      await write(store, `subject-${at}`, `canary-${at}`);
      slices += 1;
    }
    expect(slices).toBeGreaterThan(3);
    expect(await allBytes(below)).not.toContain('canary');
    // From now on, a plain value is damage.
    await write(below, 'subject-1', 'smuggled');
    await expect(read(store, 'subject-1')).rejects.toMatchObject({ code: 'storage_inconsistency' });
  });

  it('ENC-4 does not open a value that was moved to another key', async () => {
    const below = inMemoryStore();
    const { store } = await sealed(below, await newKeys());
    await write(store, 'ann', 'text');
    await below.transact((tx) => {
      const value = tx.get(records.keyOf('acme', digestOf('ann'), 'one'));
      tx.put(records.keyOf('acme', digestOf('ann'), 'two'), Uint8Array.from(value ?? []));
    });
    const moved = store.read((tx) => records.get(tx, 'acme', digestOf('ann'), 'two'));
    await expect(moved).rejects.toMatchObject({ code: 'storage_inconsistency' });
  });

  it('makes no keys for a directory that already has some', async () => {
    const { keysDir } = await newKeys();
    await mkdir(join(keysDir, 'x'));
    const { makeKeyDirectory } = await import('./key-directory.js');
    const { openRootKey } = await import('./root-key.js');
    const root = await openRootKey({ file: await newRootKey() });
    await expect(makeKeyDirectory(keysDir, root)).rejects.toThrow('already');
  });
});
