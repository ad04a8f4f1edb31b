/**
 * Cases about state beyond a transaction: counts, scans, backups, states that are held while writes
 * go on, closing and reopening.
 */
import { setImmediate } from 'node:timers';
import type { Store } from '../store/store.js';
import {
  bytes,
  type ConformanceKit,
  failureOf,
  getText,
  kindOf,
  putTexts,
  readTexts,
  text,
  textRange,
  texts,
} from './conformance-kit.js';

/** Declares the cases about the lifecycle of a store. */
export function lifecycleCases(kit: ConformanceKit): void {
  overviewCases(kit);
  commitCases(kit);
  waitingCases(kit);
  closingCases(kit);
  durabilityCases(kit);
  backupCases(kit);
}

function overviewCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('stats and scan', () => {
    storeTest('count the entries', async (store) => {
      expect((await store.stats()).entries).toBe(0);
      await putTexts(store, { a: '1', b: '2', c: '3' });
      await store.transact((tx) => tx.remove(bytes('b')));
      const { entries, sizeBytes, mapSizeBytes } = await store.stats();
      expect(entries).toBe(2);
      expect(sizeBytes > 0 && mapSizeBytes >= sizeBytes).toBe(true);
    });

    storeTest('visit each entry once, in key order', async (store) => {
      const keys = Array.from({ length: 1_100 }, (_, index) => String(index).padStart(5, '0'));
      await putTexts(store, Object.fromEntries(keys.map((key) => [key, `v${key}`])));
      const visited: string[] = [];
      await store.scan(({ key, value }) => visited.push(`${text(key) ?? ''}:${text(value) ?? ''}`));
      expect(visited).toEqual(keys.map((key) => `${key}:v${key}`));
    });

    storeTest('let other work run during a scan', async (store) => {
      const keys = Array.from({ length: 5_000 }, (_, index) => String(index).padStart(5, '0'));
      await putTexts(store, Object.fromEntries(keys.map((key) => [key, 'x'])));
      let visited = 0;
      const scan = store.scan(() => (visited += 1));
      const write = putTexts(store, { '00000': 'y' });
      await new Promise((resolve) => setImmediate(resolve));
      const visitedAtTurn = visited;
      await Promise.all([scan, write]);
      expect([visitedAtTurn < 5_000, visited]).toEqual([true, 5_000]);
    });

    storeTest('rethrow the error of a visit', async (store) => {
      await putTexts(store, { a: '1' });
      const failure = new Error('stop');
      const caught = await failureOf(() =>
        store.scan(() => {
          throw failure;
        }),
      );
      expect(caught).toBe(failure);
      expect(await getText(store, 'a')).toBe('1');
    });
  });
}

function commitCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('commits', () => {
    storeTest('count the bodies that were committed, and no others', async (store) => {
      const before = store.commits?.();
      if (before === undefined) return;
      await Promise.all(['a', 'b', 'c'].map((key) => putTexts(store, { [key]: '1' })));
      const after = store.commits?.() ?? before;
      const commits = after.commits - before.commits;
      expect([commits >= 1 && commits <= 3, after.bodies - before.bodies]).toEqual([true, 3]);
      expect(after.failures).toBe(before.failures);
      await readTexts(store);
      expect(store.commits?.()).toEqual(after);
    });
  });
}

function waitingCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('waiting', () => {
    storeTest('counts a body until its promise settles', async (store) => {
      const seen: Promise<number>[] = [];
      const look = (): void => void seen.push(store.waiting());
      expect(await store.waiting()).toBe(0);
      await Promise.all(Array.from({ length: 20 }, () => store.transact(look)));
      expect(await store.waiting()).toBe(0);
      expect(Math.min(...(await Promise.all(seen))) > 0).toBe(true);
    });

    storeTest('stops counting a body that fails', async (store) => {
      const refuse = (): never => {
        throw new Error('refused');
      };
      await failureOf(() => store.transact(refuse));
      await failureOf(() => store.read(refuse));
      expect(await store.waiting()).toBe(0);
    });
  });
}

function closingCases({ describe, test, expect, subject, storeTest }: ConformanceKit): void {
  describe('close', () => {
    test('finishes accepted work, refuses later work, and can be repeated', async () => {
      const store = await subject.open();
      const accepted = Array.from({ length: 20 }, (_, index) =>
        putTexts(store, { [`k${index}`]: 'v' }),
      );
      const closing = Promise.all([store.close(), store.close()]);
      const late = await failureOf(() => putTexts(store, { late: 'v' }));
      expect(kindOf(late)).toBe('store_closed');
      await Promise.all(accepted);
      await closing;
      await store.close();
      expect(await store.waiting()).toBe(0);
    });

    storeTest('refuses every later call', async (store) => {
      await store.close();
      const calls: (() => Promise<unknown>)[] = [
        () => store.read(() => 1),
        () => store.transact(() => 1),
        () => store.stats(),
        () => store.scan(() => undefined),
        () => store.backup('unused'),
      ];
      for (const call of calls) expect(kindOf(await failureOf(call))).toBe('store_closed');
    });
  });
}

function durabilityCases({ describe, testWhere, expect, subject }: ConformanceKit): void {
  describe('durability', () => {
    testWhere(subject.reopen, 'keeps every acknowledged write', async (reopen) => {
      const first = await subject.open();
      await putTexts(first, { a: '1', b: '2', c: '3' });
      await first.transact((tx) => tx.remove(bytes('b')));
      await failureOf(() =>
        first.transact((tx) => {
          tx.put(bytes('d'), bytes('4'));
          throw new Error('dropped');
        }),
      );
      await first.close();
      const second = await reopen(first);
      await closing(second, async () => {
        expect(await readTexts(second)).toEqual(['a=1', 'c=3']);
        expect((await second.stats()).entries).toBe(2);
        await putTexts(second, { e: '5' });
        expect(await getText(second, 'e')).toBe('5');
      });
    });
  });
}

function backupCases({ describe, testWhere, expect, subject }: ConformanceKit): void {
  describe('backup', () => {
    testWhere(subject.backups, 'copies acknowledged writes while others go on', async (backups) => {
      const store = await subject.open();
      await closing(store, async () => {
        await putTexts(store, { a: '1', b: '2' });
        const directory = await backups.newDirectory();
        const backup = store.backup(directory);
        const writes = Array.from({ length: 50 }, (_, index) =>
          putTexts(store, { [`later/${index}/x`]: 'v', [`later/${index}/y`]: 'v' }),
        );
        await Promise.all([backup, ...writes]);
        const copy = await backups.openCopy(directory);
        await closing(copy, async () => {
          expect(await readTexts(copy, '', 'c')).toEqual(['a=1', 'b=2']);
          // Transactions that committed meanwhile are copied completely or not at all.
          expect((await readTexts(copy, 'later/', 'later0')).length % 2).toBe(0);
          await putTexts(copy, { a: 'changed' });
          expect(await getText(store, 'a')).toBe('1');
        });
      });
    });

    testWhere(subject.backups, 'refuses a directory that is not empty', async (backups) => {
      const store = await subject.open();
      await closing(store, async () => {
        const directory = await backups.newDirectory();
        await store.backup(directory);
        const failure = await failureOf(() => store.backup(directory));
        expect(kindOf(failure)).toBe('store_incompatible');
        await (await backups.openCopy(directory)).close();
      });
    });
  });
}

async function closing(store: Store, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await store.close();
  }
}

/** Declares the cases. */
export function heldCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('held states', () => {
    storeTest('stay as they were, whatever is written meanwhile', async (store) => {
      await putTexts(store, { a: '1', b: '2', c: '3' });
      const held = await store.hold();
      await putTexts(store, { a: '9', d: '4' });
      await store.transact((tx) => tx.remove(bytes('b')));
      expect(texts(await held.entries(textRange('', '~')))).toEqual(['a=1', 'b=2', 'c=3']);
      const later = await store.hold();
      expect(texts(await later.entries(textRange('', '~')))).toEqual(['a=9', 'c=3', 'd=4']);
      await putTexts(store, { a: '10' });
      expect(texts(await held.entries(textRange('', '~')))).toEqual(['a=1', 'b=2', 'c=3']);
      expect(await readTexts(store)).toEqual(['a=10', 'c=3', 'd=4']);
      await Promise.all([held.close(), later.close()]);
    });

    storeTest('return spans with limits and in reverse, as bytes of their own', async (store) => {
      await putTexts(store, { a: '1', b: '2', c: '3', d: '4' });
      const held = await store.hold();
      const first = await held.entries(textRange('b', 'd', { limit: 1 }));
      const last = await held.entries(textRange('a', 'd', { limit: 2, reverse: true }));
      expect([texts(first), texts(last)]).toEqual([['b=2'], ['c=3', 'b=2']]);
      expect(texts(await held.entries(textRange('x', 'y')))).toEqual([]);
      expect(texts(first)).toEqual(['b=2']);
      await held.close();
    });

    storeTest('end when they are closed, once or twice', async (store) => {
      await putTexts(store, { a: '1' });
      const held = await store.hold();
      await held.close();
      await held.close();
      const failure = await failureOf(() => held.entries(textRange('', '~')));
      expect(kindOf(failure)).toBe('store_closed');
      await putTexts(store, { a: '2' });
      expect(await readTexts(store)).toEqual(['a=2']);
    });

    storeTest('end when their store is closed', async (store) => {
      const held = await store.hold();
      await store.close();
      const failure = await failureOf(() => held.entries(textRange('', '~')));
      expect(kindOf(failure)).toBe('store_closed');
    });
  });
}
