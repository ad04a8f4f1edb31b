/** What the segment cache holds, whom it evicts, and when it forgets. */
import { expect, test } from 'vitest';
import type { Namespace } from '../../../kernel/access/namespace.js';
import { QUERY_SLICE_BYTES } from '../../../contract/limits.js';
import type { RecordFacts, ScannedPart } from '../../../kernel/ports/memory-scan.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import type { ReadTx, Store } from '../../../storage/store/store.js';
import { memoryRecords, memoryScan } from '../record/memory-store.js';
import { searchFilterOf } from '../record/search-entry.js';
import { exactForms } from '../text/word-forms.js';
import { readingOf } from '../text/word-reading.js';
import { scanThrough } from './scan-segments.js';
import { cacheKeyOf, SegmentCache } from './segment-cache.js';
import { sentenceWords } from './words/sentence-words.js';

const MEBIBYTE = 2 ** 20;
const limits = { entries: 16, bytes: 65_536 };

const namespaceOf = (tenantId: string, number: number): Namespace => ({
  tenantId,
  digest: new Uint8Array(32).fill(number),
  parts: ['p', null, 'a', 'shared', null],
});
const idAt = (index: number): string =>
  `018f0000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

/** Stores entries with the texts `text 0`, `text 1` and so on, and a filler. */
async function fill(store: Store, { tenantId, digest }: Namespace, count: number, filler = '') {
  await store.transact((tx) => {
    for (let index = 0; index < count; index += 1) {
      const texts = [`text ${index}.${filler}`];
      const parts = { type: 'Decision', tags: [], texts, validUntilMillis: null, eventMillis: 0 };
      memoryScan.put(tx, { revision: 1, parts }, tenantId, digest, idAt(index));
    }
  });
}

function opened(maxBytes: number) {
  const store = inMemoryStore();
  const cache = new SegmentCache({ maxBytes, limits });
  store.observe?.(cache);
  const scan = scanThrough(cache);
  const part = (namespace: Namespace, text: string | null, after?: string) => ({
    namespace,
    filter: searchFilterOf({ text, type: null, tags: [] }),
    nowMs: 0,
    after,
    entries: 10_000,
    records: 100,
  });
  /** Scans a namespace to its end. Returns the slices, with the ranges that each opened. */
  const slicesOf = async (namespace: Namespace, text: string | null = 'absent') => {
    const slices: (ScannedPart & { readonly ranges: number })[] = [];
    let after: string | undefined;
    do {
      const slice = await store.read((tx) => {
        let ranges = 0;
        const counted: ReadTx = {
          get: (key) => tx.get(key),
          range: (range) => {
            ranges += 1;
            return tx.range(range);
          },
        };
        return { ...scan(counted, part(namespace, text, after)), ranges };
      });
      slice.remember?.();
      slices.push(slice);
      after = slice.last;
    } while (after !== undefined);
    return slices;
  };
  const isHeld = async (namespace: Namespace): Promise<boolean> => {
    const slices = await slicesOf(namespace);
    return slices.every(({ ranges }) => ranges === 0);
  };
  const heldBytes = (namespace: Namespace): number => cache.use(cacheKeyOf(namespace))?.bytes ?? 0;
  return { store, cache, scan, part, slicesOf, isHeld, heldBytes };
}

/** Writes texts under indexes in one body: null is a tombstone, and absent removes the entry. */
async function write(
  store: Store,
  { tenantId, digest }: Namespace,
  writes: readonly (readonly [index: number, text: string | null | undefined])[],
) {
  await store.transact((tx) => {
    for (const [index, text] of writes) {
      const parts =
        text === null || text === undefined
          ? null
          : { type: 'Error', tags: [], texts: [text], validUntilMillis: null, eventMillis: 0 };
      if (text === undefined) tx.remove(memoryScan.keyOf(tenantId, digest, idAt(index)));
      else memoryScan.put(tx, { revision: 2, parts }, tenantId, digest, idAt(index));
    }
  });
}

test('a second scan reads nothing from the store', async () => {
  const { store, isHeld, slicesOf } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 100);
  await slicesOf(namespace);
  expect(await isHeld(namespace)).toBe(true);
  await fill(store, namespaceOf('acme', 2), 100);
  expect(await isHeld(namespace)).toBe(true);
});

test('a scan after changes reads nothing, and finds them', async () => {
  const { store, slicesOf, isHeld } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 100);
  await slicesOf(namespace);
  // In several segments, the first and the last entry of one, and one that was not there.
  await write(store, namespace, [
    [70, 'a longer text than before'],
    [3, 'new'],
    [16, undefined],
    [31, null],
    [4, undefined],
  ]);
  expect(await isHeld(namespace)).toBe(true);
  const found = async (text: string) =>
    (await slicesOf(namespace, text)).flatMap(({ matches }) => matches);
  expect(await found('a longer text')).toMatchObject([{ recordId: idAt(70), revision: 2 }]);
  expect(await found('new')).toMatchObject([{ recordId: idAt(3), revision: 2 }]);
  for (const gone of ['text 70.', 'text 3.', 'text 16.', 'text 31.', 'text 4.']) {
    expect(await found(gone)).toEqual([]);
  }
  expect(await found('text 15.')).toMatchObject([{ recordId: idAt(15), revision: 1 }]);
  const examined = (await slicesOf(namespace)).reduce((sum, slice) => sum + slice.examined, 0);
  expect(examined).toBe(98);
  await write(store, namespace, [[4, 'there again']]);
  expect(await isHeld(namespace)).toBe(true);
  expect(await found('there again')).toMatchObject([{ recordId: idAt(4) }]);
});

test('a segment that no scan searches is changed 16 times, and then dropped', async () => {
  const { store, cache, slicesOf, isHeld } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 160);
  await slicesOf(namespace);
  const full = cache.bytes;
  const changeTimes = async (times: number) => {
    for (let time = 0; time < times; time += 1) await write(store, namespace, [[50, 'text 50.']]);
  };
  await changeTimes(16);
  expect(await isHeld(namespace)).toBe(true);
  await changeTimes(16);
  expect(cache.bytes).toBeGreaterThan(0.98 * full);
  await changeTimes(1);
  expect(cache.bytes).toBeLessThan(0.92 * full);
  expect(cache.bytes).toBeGreaterThan(0.8 * full);
  expect(await isHeld(namespace)).toBe(false);
});

test('a new last entry costs nothing', async () => {
  const { store, cache, slicesOf } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 160);
  await slicesOf(namespace);
  const full = cache.bytes;
  await write(store, namespace, [
    [1_000, null],
    [1_001, 'new'],
  ]);
  expect(cache.bytes).toBe(full);
  const [slice] = await slicesOf(namespace, 'new');
  expect(slice?.matches).toMatchObject([{ recordId: idAt(1_001) }]);
});

test('an entry that grows too large for its segment is read again', async () => {
  const { store, cache, slicesOf, isHeld } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 160);
  await slicesOf(namespace);
  const full = cache.bytes;
  await write(store, namespace, [[50, 'y'.repeat(2 * limits.bytes)]]);
  expect(cache.bytes).toBeLessThan(full);
  const [slice] = await slicesOf(namespace, 'yyy');
  expect(slice?.matches).toMatchObject([{ recordId: idAt(50) }]);
  expect(await isHeld(namespace)).toBe(true);
});

test('entries that grow stay within the memory of the cache', async () => {
  const { store, cache, slicesOf } = opened(300_000);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 64, 'x'.repeat(500));
  await slicesOf(namespace);
  for (let index = 0; index < 64; index += 1) {
    await write(store, namespace, [[index, `grown ${index}.${'y'.repeat(7_000)}`]]);
    expect(cache.bytes).toBeLessThanOrEqual(300_000);
  }
  const matches = (await slicesOf(namespace, 'grown')).flatMap((slice) => slice.matches);
  expect(matches.length).toBe(64);
});

test('CON-92 an entry that does not verify fails the next scan', async () => {
  const { store, slicesOf } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 20);
  await slicesOf(namespace);
  const { tenantId, digest } = namespace;
  await store.transact((tx) => {
    tx.put(memoryScan.keyOf(tenantId, digest, idAt(7)), new Uint8Array([2, 0, 0]));
  });
  await expect(slicesOf(namespace)).rejects.toMatchObject({ code: 'storage_inconsistency' });
});

test('what a failed commit leaves is read again', async () => {
  const { store, cache, slicesOf, isHeld } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 20);
  await slicesOf(namespace);
  cache.failed();
  expect(cache.bytes).toBe(0);
  expect(await isHeld(namespace)).toBe(false);
});

test('what was read before a commit is not remembered after it', async () => {
  const { store, cache, scan, part, slicesOf } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 20);
  const { remember } = await store.read((tx) => scan(tx, part(namespace, null)));
  const { tenantId, digest } = namespace;
  await store.transact((tx) => {
    tx.remove(memoryScan.keyOf(tenantId, digest, idAt(3)));
  });
  remember?.();
  expect(cache.bytes).toBe(0);
  const [slice] = await slicesOf(namespace, 'text 3.');
  expect(slice).toMatchObject({ matches: [], examined: 19 });
});

test('two scans of one gap remember it once', async () => {
  const { store, cache, scan, part, slicesOf } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 40);
  const both = await Promise.all(
    [0, 1].map(() => store.read((tx) => scan(tx, part(namespace, null)))),
  );
  both[0]?.remember?.();
  const { bytes } = cache;
  both[1]?.remember?.();
  expect(cache.bytes).toBe(bytes);
  const [slice] = await slicesOf(namespace, 'text 3');
  expect(slice?.matches.length).toBe(11);
});

test('a tenant that scans much displaces its own scopes, not those of others', async () => {
  const { store, cache, slicesOf, isHeld, heldBytes } = opened(MEBIBYTE);
  const filler = 'x'.repeat(2_000);
  const quiet = namespaceOf('quiet', 1);
  await fill(store, quiet, 100, filler);
  await slicesOf(quiet);
  const loud = Array.from({ length: 20 }, (_, index) => namespaceOf('loud', 10 + index));
  for (const namespace of loud) {
    await fill(store, namespace, 100, filler);
    await slicesOf(namespace);
    expect(cache.bytes).toBeLessThanOrEqual(MEBIBYTE);
  }
  expect(cache.bytes).toBeGreaterThan(0.7 * MEBIBYTE);
  expect(await isHeld(quiet)).toBe(true);
  // The least recently used scopes went.
  expect(loud.map(heldBytes).findLastIndex((bytes) => bytes === 0)).toBeLessThan(18);
  expect(heldBytes(loud[0] ?? quiet)).toBe(0);
});

test('a tenant that had all memory gives up half of it to a second one', async () => {
  const { store, slicesOf, isHeld, heldBytes } = opened(MEBIBYTE);
  const filler = 'x'.repeat(2_000);
  const [first, second] = [namespaceOf('first', 1), namespaceOf('second', 2)];
  await fill(store, first, 1_000, filler);
  await fill(store, second, 1_000, filler);
  await slicesOf(first);
  expect(heldBytes(first)).toBeGreaterThan(0.7 * MEBIBYTE);
  await slicesOf(second);
  expect(heldBytes(first)).toBeGreaterThan(0.3 * MEBIBYTE);
  expect(heldBytes(second)).toBeGreaterThan(0.3 * MEBIBYTE);
  expect(await isHeld(second)).toBe(false);
});

test('scans from arbitrary places leave no crumbs', async () => {
  const { store, cache, scan, part } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 200);
  for (let place = 190; place > 0; place -= 3) {
    const one = { ...part(namespace, null, idAt(place)), entries: 1 };
    (await store.read((tx) => scan(tx, one))).remember?.();
  }
  expect(cache.bytes).toBe(0);
});

test('a scan of the last records is held, also behind records that were added', async () => {
  const { store, scan, part } = opened(MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  const lastFive = async () => {
    const last = { ...part(namespace, null), isBackward: true, entries: 5 };
    const { remember, matches, cached } = await store.read((tx) => scan(tx, last));
    remember?.();
    return { ids: matches.map(({ recordId }) => recordId), cached };
  };
  const idsFrom = (index: number) => [0, 1, 2, 3, 4].map((back) => idAt(index - back));
  await fill(store, namespace, 200);
  expect(await lastFive()).toMatchObject({ ids: idsFrom(199) });
  expect(await lastFive()).toEqual({ ids: idsFrom(199), cached: 5 });
  await write(store, namespace, [
    [200, 'new'],
    [201, 'newer'],
  ]);
  expect(await lastFive()).toMatchObject({ ids: [idAt(201), idAt(200)] });
  expect(await lastFive()).toEqual({ ids: idsFrom(201), cached: 5 });
});

test('a slice ends before it has searched much more than its bytes', async () => {
  const { store, slicesOf, isHeld } = opened(64 * MEBIBYTE);
  const namespace = namespaceOf('acme', 1);
  // Two bytes have no gram, so every segment is searched.
  const text = 'zq';
  await fill(store, namespace, 200, 'x'.repeat(50_000));
  await slicesOf(namespace, text);
  expect(await isHeld(namespace)).toBe(true);
  const slices = await slicesOf(namespace, text);
  const bytes = 200 * 50_000;
  expect(slices.every(({ ranges }) => ranges === 0)).toBe(true);
  expect(slices.length).toBeGreaterThan(bytes / (QUERY_SLICE_BYTES + 2 * limits.bytes));
  expect(slices.reduce((sum, { examined }) => sum + examined, 0)).toBe(200);
});

/** Reads a text of many distinct words into facts about a record. */
function longTextOf(recordId: string): RecordFacts {
  const text = Array.from({ length: 400 }, (_, word) => `word${word}.`).join(' ');
  const places = { bytesMax: 2_000, ends: [text.length], sizes: [text.length] };
  const sentences = sentenceWords(text, places, readingOf('exact', exactForms));
  return { recordId, values: [], text: { revision: 1, asked: 16, isRead: true, sentences } };
}

test('words of long texts are counted, and go with their record, its changes and its segment', async () => {
  const { store, cache, slicesOf, heldBytes } = opened(MEBIBYTE);
  const [one, other] = [namespaceOf('acme', 1), namespaceOf('acme', 2)];
  await fill(store, one, 40);
  await fill(store, other, 40);
  await slicesOf(one);
  await slicesOf(other);
  const before = [cache.bytes, heldBytes(one)];
  const [first, second] = [longTextOf(idAt(3)), longTextOf(idAt(20))];
  const texts = cache.textsOf(one);
  texts.learner()([first, second]);
  const bytes = first.text?.sentences?.bytes ?? 0;
  expect(bytes).toBeGreaterThan(400 * 14);
  expect(cache.bytes - (before[0] ?? 0)).toBeGreaterThan(2 * bytes);
  expect(heldBytes(one) - (before[1] ?? 0)).toBe(cache.bytes - (before[0] ?? 0));
  expect([texts.find(idAt(3)), texts.find(idAt(20))]).toEqual([first.text, second.text]);
  expect(cache.textsOf(other).find(idAt(3))).toBeUndefined();
  // Another entry of the segment changes, which is patched with what is known of the others.
  await write(store, one, [[4, 'changed']]);
  expect(texts.find(idAt(3))).toBe(first.text);
  // The entry of the record goes, as with an erasure.
  await write(store, one, [[3, undefined]]);
  expect(texts.find(idAt(3))).toBeUndefined();
  const held = cache.bytes;
  // The record changes without its entry.
  const key = memoryRecords.keyOf(one.tenantId, one.digest, idAt(20));
  await store.transact((tx) => {
    tx.put(key, new Uint8Array([1]));
  });
  expect(texts.find(idAt(20))).toBeUndefined();
  expect(held - cache.bytes).toBeGreaterThan(bytes);
  texts.learner()([second]);
  cache.forget(cacheKeyOf(one).name);
  expect([texts.find(idAt(20)), heldBytes(one)]).toEqual([undefined, 0]);
});

test('words of long texts are not held after a change, nor beyond the memory of the cache', async () => {
  const { store, cache, slicesOf } = opened(24_576);
  const namespace = namespaceOf('acme', 1);
  await fill(store, namespace, 40);
  await slicesOf(namespace);
  const texts = cache.textsOf(namespace);
  const learn = texts.learner();
  await write(store, namespace, [[3, 'changed']]);
  learn([longTextOf(idAt(3))]);
  expect(texts.find(idAt(3))).toBeUndefined();
  const facts = Array.from({ length: 8 }, (_, at) => longTextOf(idAt(at)));
  texts.learner()(facts);
  const found = facts.filter(({ recordId }) => texts.find(recordId) !== undefined);
  expect(found.length).toBeGreaterThan(0);
  expect(found.length).toBeLessThan(8);
  expect(cache.bytes).toBeLessThanOrEqual(cache.maxBytes);
});
