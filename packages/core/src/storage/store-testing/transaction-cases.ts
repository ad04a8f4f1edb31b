/** Cases about transactions: atomic, serializable, and reading their own writes. */
import {
  bytes,
  failureOf,
  getText,
  kindOf,
  putTexts,
  readTexts,
  text,
  textRange,
  texts,
  type ConformanceKit,
} from './conformance-kit.js';
import type { ReadTx } from '../store/store.js';

/** Declares the cases about transactions. */
export function transactionCases(kit: ConformanceKit): void {
  atomicityCases(kit);
  isolationCases(kit);
  lifetimeCases(kit);
}

function atomicityCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('atomicity', () => {
    storeTest('returns the result of the body and stores its writes', async (store) => {
      const result = await store.transact((tx) => {
        tx.put(bytes('a'), bytes('1'));
        return 'done';
      });
      expect(result).toBe('done');
      expect(await getText(store, 'a')).toBe('1');
    });

    storeTest('drops every write of a body that throws, and rethrows its error', async (store) => {
      await putTexts(store, { a: 'old', b: 'old' });
      const failure = new Error('changed my mind');
      const caught = await failureOf(() =>
        store.transact((tx) => {
          tx.put(bytes('a'), bytes('new'));
          tx.remove(bytes('b'));
          tx.put(bytes('c'), bytes('new'));
          throw failure;
        }),
      );
      expect(caught).toBe(failure);
      expect(await readTexts(store)).toEqual(['a=old', 'b=old']);
    });

    storeTest('refuses a body that returns a promise, and drops its writes', async (store) => {
      const write = failureOf(() =>
        store.transact((tx) => {
          tx.put(bytes('a'), bytes('1'));
          return Promise.resolve();
        }),
      );
      const broken = failureOf(() => store.transact(() => Promise.reject(new Error('unseen'))));
      const read = failureOf(() => store.read(() => Promise.resolve()));
      expect(kindOf(await write)).toBe('TypeError');
      expect(kindOf(await broken)).toBe('TypeError');
      expect(kindOf(await read)).toBe('TypeError');
      expect(await readTexts(store)).toEqual([]);
    });

    storeTest('rethrows the error of a body that reads', async (store) => {
      const failure = new Error('not found');
      const caught = await failureOf(() =>
        store.read(() => {
          throw failure;
        }),
      );
      expect(caught).toBe(failure);
    });
  });
}

function isolationCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('isolation', () => {
    storeTest('shows a body its own writes', async (store) => {
      await putTexts(store, { a: '1', b: '2' });
      const seen = await store.transact((tx) => {
        tx.put(bytes('a'), bytes('9'));
        tx.remove(bytes('b'));
        tx.put(bytes('c'), bytes('3'));
        tx.put(bytes('d'), bytes('4'));
        tx.remove(bytes('d'));
        const found = ['a', 'b', 'c', 'd'].map((key) => text(tx.get(bytes(key))));
        return { found, all: texts(tx.range(textRange('', '~'))) };
      });
      expect(seen).toEqual({ found: ['9', undefined, '3', undefined], all: ['a=9', 'c=3'] });
      expect(await readTexts(store)).toEqual(['a=9', 'c=3']);
    });

    storeTest('runs concurrent bodies one after the other, in order', async (store) => {
      const increment = () =>
        store.transact((tx) => {
          const next = Number(text(tx.get(bytes('counter'))) ?? '0') + 1;
          tx.put(bytes('counter'), bytes(String(next)));
          return next;
        });
      const results = await Promise.all(Array.from({ length: 200 }, increment));
      expect(results).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
      expect(await getText(store, 'counter')).toBe('200');
    });

    storeTest('does not affect the neighbours of a body that throws', async (store) => {
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          failureOf(() =>
            store.transact((tx) => {
              const seen = text(tx.get(bytes('last')));
              tx.put(bytes('last'), bytes(String(index)));
              tx.put(bytes(`each/${String(index).padStart(3, '0')}`), bytes(seen ?? 'none'));
              if (index % 3 === 0) throw new Error(`refused ${index}`);
            }),
          ),
        ),
      );
      expect(outcomes.filter((outcome) => outcome !== undefined).length).toBe(34);
      const kept = await readTexts(store, 'each/', 'each0');
      expect(kept.length).toBe(66);
      expect(kept.slice(0, 3)).toEqual(['each/001=none', 'each/002=1', 'each/004=2']);
    });

    storeTest('lets the caller read its write once it is acknowledged', async (store) => {
      for (let round = 0; round < 20; round += 1) {
        await putTexts(store, { key: String(round) });
        expect(await getText(store, 'key')).toBe(String(round));
      }
    });

    storeTest('copies keys and values when they are put', async (store) => {
      let key = bytes('');
      await store.transact((tx) => {
        key = bytes('k1');
        const value = bytes('before');
        tx.put(key, value);
        key.fill(0);
        value.fill(0);
        tx.remove(key);
      });
      key.fill(1);
      expect(await readTexts(store)).toEqual(['k1=before']);
    });
  });
}

function lifetimeCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('lifetime of a transaction', () => {
    storeTest('ends with its body', async (store) => {
      let kept: ReadTx | undefined;
      await store.read((tx) => {
        kept = tx;
      });
      expect(kindOf(await failureOf(() => kept?.get(bytes('a'))))).toBe('Error');
      await store.transact((tx) => {
        kept = tx;
      });
      expect(kindOf(await failureOf(() => kept?.range(textRange('', '~'))))).toBe('Error');
    });

    storeTest('refuses other calls while a range is open', async (store) => {
      await putTexts(store, { a: '1', b: '2' });
      const refused = await store.transact((tx) => {
        const calls = [
          () => tx.get(bytes('a')),
          () => tx.range(textRange('', '~')),
          () => tx.put(bytes('a'), bytes('9')),
          () => tx.remove(bytes('a')),
        ];
        const failures = calls.map((call) => {
          for (const _ of tx.range(textRange('', '~'))) return nameOfThrown(call);
          return 'no entry';
        });
        // Leaving a loop early closes its range, so other calls work again.
        tx.put(bytes('c'), bytes('3'));
        return failures;
      });
      expect(refused).toEqual(['Error', 'Error', 'Error', 'Error']);
      expect(await readTexts(store)).toEqual(['a=1', 'b=2', 'c=3']);
    });
  });
}

function nameOfThrown(call: () => unknown): unknown {
  try {
    call();
    return 'nothing';
  } catch (error) {
    return kindOf(error);
  }
}
