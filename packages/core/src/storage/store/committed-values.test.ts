/** Remembered values are dropped by the commits that write them, and stay within their bounds. */
import { expect, test } from 'vitest';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { keyText } from './bytes.js';
import { committedReads, CommittedValues, valuesBehind } from './committed-values.js';
import { encodeKey } from './key.js';
import { jsonLayout } from './fields.js';
import { withParticipants } from './participant.js';
import type { SnapshotTx } from './store.js';
import { Subspace } from './subspace.js';

const ID = '01934f2a-7c1b-7000-8000-00000000000a';
const NUMBER = 3;
const subspace = new Subspace({ number: NUMBER, shape: ['uuid'] }, jsonLayout<string>(1), {
  committedFor: (_value, tenant) => tenant,
});

const keyOf = (tenant: string, id: string): string =>
  keyText(encodeKey(tenant, NUMBER, ['uuid'], [id]));
const idAt = (index: number): string => ID.slice(0, -4) + index.toString(16).padStart(4, '0');

const mostlyAbsent = new Subspace({ number: NUMBER, shape: ['uuid'] }, jsonLayout<string>(1), {
  committedFor: (_value, tenant) => tenant,
  remembersAbsence: true,
});

/** Remembers a value of about 2,000 bytes. */
function remember(values: CommittedValues, tenant: string, id: string): void {
  values.remember(
    { subspace: NUMBER, tenant, name: id },
    { value: id, keyText: keyOf(tenant, id), tailBytes: 0, sealedBytes: 600, owner: tenant },
  );
}

/** Counts the reads of stored bytes. */
function counted(tx: SnapshotTx, counts: { gets: number }): SnapshotTx {
  const get = (key: Uint8Array): Uint8Array | undefined => {
    counts.gets += 1;
    return tx.get(key);
  };
  return { get, range: (range) => tx.range(range), horizon: () => tx.horizon() };
}

/** Returns a store that remembers committed values, and counts the reads below it. */
function countedStore() {
  const below = inMemoryStore();
  const counts = { gets: 0 };
  const store = withParticipants(
    {
      isShared: false,
      read: (body) => below.read((tx) => body(counted(tx, counts))),
      transact: (body) => below.transact(body),
    },
    [committedReads(below)],
  );
  return { store, counts };
}

test('a read of a committed value reads its bytes once, until a commit writes it', async () => {
  const { store, counts } = countedStore();
  const read = () => store.read((tx) => subspace.get(tx, 'acme', ID));
  const put = (value: string) => store.transact((tx) => subspace.put(tx, value, 'acme', ID));
  await put('one');
  expect([await read(), await read(), await read()]).toEqual(['one', 'one', 'one']);
  expect(counts.gets).toBe(1);
  await put('two');
  expect([await read(), await read()]).toEqual(['two', 'two']);
  expect(counts.gets).toBe(2);
  await store.transact((tx) => {
    tx.remove(subspace.keyOf('acme', ID));
  });
  expect(await read()).toBeUndefined();
});

test('a read of an absent value asks the store once, until a commit writes it', async () => {
  const { store, counts } = countedStore();
  const read = () => store.read((tx) => mostlyAbsent.get(tx, 'acme', ID));
  expect([await read(), await read()]).toEqual([undefined, undefined]);
  expect(counts.gets).toBe(1);
  const seen = await store.transact((tx) => {
    const before = mostlyAbsent.get(tx, 'acme', ID);
    mostlyAbsent.put(tx, 'one', 'acme', ID);
    return [before, mostlyAbsent.get(tx, 'acme', ID)];
  });
  expect(seen).toEqual([undefined, 'one']);
  expect([await read(), await read()]).toEqual(['one', 'one']);
  await store.transact((tx) => {
    tx.remove(mostlyAbsent.keyOf('acme', ID));
  });
  expect([await read(), await read()]).toEqual([undefined, undefined]);
  expect(counts.gets).toBe(3);
});

test('an absent value is not remembered unless its subspace says so', async () => {
  const { store, counts } = countedStore();
  const read = () => store.read((tx) => subspace.get(tx, 'acme', ID));
  expect([await read(), await read()]).toEqual([undefined, undefined]);
  expect(counts.gets).toBe(2);
});

test('a UUID in other letters is the same value, and is dropped with it', async () => {
  const below = inMemoryStore();
  const store = withParticipants(below, [committedReads(below)]);
  const read = (id: string) => store.read((tx) => subspace.get(tx, 'acme', id));
  await store.transact((tx) => subspace.put(tx, 'one', 'acme', ID));
  expect([await read(ID), await read(ID.toUpperCase())]).toEqual(['one', 'one']);
  await store.transact((tx) => subspace.put(tx, 'two', 'acme', ID));
  expect([await read(ID), await read(ID.toUpperCase())]).toEqual(['two', 'two']);
});

test('transactions that write, and stores without observers, remember nothing', async () => {
  const below = inMemoryStore();
  const store = withParticipants(below, [committedReads(below)]);
  expect(await store.read((tx) => valuesBehind(tx) !== undefined)).toBe(true);
  expect(await store.transact((tx) => valuesBehind(tx) !== undefined)).toBe(false);
  expect(committedReads({})).toEqual({});
});

test('a commit drops a group of entries by each of their keys', () => {
  const values = new CommittedValues();
  const place = { subspace: NUMBER, tenant: 'acme', name: ID };
  const group = { value: [1], keyText: keyOf('acme', ID), tailBytes: 8, sealedBytes: 8 };
  values.remember(place, { ...group, owner: 'acme' });
  values.committed(new Map([[`${keyOf('acme', idAt(1))}\0\0\0\0\0\0\0\x01`, undefined]]));
  expect(values.find(NUMBER, 'acme', ID)).toEqual([1]);
  values.committed(new Map([[`${keyOf('acme', ID)}\0\0\0\0\0\0\0\x01`, new Uint8Array()]]));
  expect(values.find(NUMBER, 'acme', ID)).toBeUndefined();
});

test('a failed commit drops everything', () => {
  const values = new CommittedValues();
  remember(values, 'acme', ID);
  values.failed();
  expect(values.find(NUMBER, 'acme', ID)).toBeUndefined();
  expect(values.bytes).toBe(0);
});

test('a tenant beyond its share displaces its own values, not those of others', () => {
  const values = new CommittedValues(200_000);
  for (let index = 0; index < 10; index++) remember(values, 'quiet', idAt(index));
  for (let index = 0; index < 1_000; index++) remember(values, 'busy', idAt(index));
  expect(values.bytes).toBeLessThanOrEqual(200_000);
  for (let index = 0; index < 10; index++) {
    expect(values.find(NUMBER, 'quiet', idAt(index))).toBe(idAt(index));
  }
  expect(values.find(NUMBER, 'busy', idAt(999))).toBe(idAt(999));
  expect(values.find(NUMBER, 'busy', idAt(0))).toBeUndefined();
});

test('many tenants share the memory, and dropping all of them leaves none in use', () => {
  const values = new CommittedValues(200_000);
  for (let index = 0; index < 2_000; index++) remember(values, `t${String(index)}`, ID);
  expect(values.bytes).toBeLessThanOrEqual(200_000);
  for (let index = 0; index < 2_000; index++) {
    values.committed(new Map([[keyOf(`t${String(index)}`, ID), undefined]]));
  }
  expect(values.bytes).toBe(0);
});
