/** Cases about ranges: byte order, bounds, limits, direction, and pending writes merged in. */
import type { KeyRange, Store } from '../store/store.js';
import {
  bytes,
  putTexts,
  readTexts,
  textRange,
  texts,
  type ConformanceKit,
} from './conformance-kit.js';

/** Declares the cases about ranges. */
export function rangeCases(kit: ConformanceKit): void {
  storedRangeCases(kit);
  partialRangeCases(kit);
  mergedRangeCases(kit);
}

function storedRangeCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('ranges', () => {
    storeTest('yield keys in byte order, shorter ones first', async (store) => {
      const keys = [[255], [0], [1, 0], [1], [0, 255], [1, 0, 0], [128], [127, 255]];
      await store.transact((tx) => {
        for (const key of keys) tx.put(Uint8Array.from(key), bytes('x'));
      });
      const range = { from: Uint8Array.from([]), to: Uint8Array.from([255, 255]) };
      const forward = [[0], [0, 255], [1], [1, 0], [1, 0, 0], [127, 255], [128], [255]];
      expect(await readKeys(store, range)).toEqual(forward);
      expect(await readKeys(store, { ...range, reverse: true })).toEqual([...forward].reverse());
    });

    storeTest('include `from`, exclude `to`, and stop at the limit', async (store) => {
      await putTexts(store, { a: '1', b: '2', c: '3', d: '4' });
      const cases: [KeyRange, string[]][] = [
        [textRange('b', 'd'), ['b=2', 'c=3']],
        [textRange('b', 'd', { reverse: true }), ['c=3', 'b=2']],
        [textRange('aa', 'cc'), ['b=2', 'c=3']],
        [textRange('aa', 'cc', { reverse: true }), ['c=3', 'b=2']],
        [textRange('', 'd', { limit: 2 }), ['a=1', 'b=2']],
        [textRange('', 'd', { limit: 2, reverse: true }), ['c=3', 'b=2']],
        [textRange('a', 'z', { limit: 100 }), ['a=1', 'b=2', 'c=3', 'd=4']],
        [textRange('a', 'z', { limit: 0 }), []],
        [textRange('a', 'z', { limit: 0, reverse: true }), []],
        [textRange('e', 'z'), []],
        [textRange('e', 'z', { reverse: true }), []],
        [textRange('A', 'B', { reverse: true }), []],
        [textRange('b', 'b'), []],
        [textRange('b', 'b', { reverse: true }), []],
        [textRange('d', 'b'), []],
        [textRange('d', 'b', { reverse: true }), []],
        [textRange('a', ''), []],
        [textRange('', '', { reverse: true }), []],
      ];
      for (const [range, expected] of cases) {
        expect(await store.read((tx) => texts(tx.range(range)))).toEqual(expected);
      }
    });

    storeTest('are empty in an empty store', async (store) => {
      expect(await readTexts(store)).toEqual([]);
      const reverse = textRange('', '~', { reverse: true });
      expect(await store.read((tx) => texts(tx.range(reverse)))).toEqual([]);
    });
  });
}

function partialRangeCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('iteration of ranges', () => {
    storeTest('can stop early and be followed by others', async (store) => {
      await putTexts(store, { a: '1', b: '2', c: '3' });
      const seen = await store.read((tx) => {
        const first: string[] = [];
        for (const entry of tx.range(textRange('', '~'))) {
          first.push(...texts([entry]));
          if (first.length === 2) break;
        }
        return [first, texts(tx.range(textRange('b', '~'))), texts(tx.range(textRange('', 'b')))];
      });
      expect(seen).toEqual([['a=1', 'b=2'], ['b=2', 'c=3'], ['a=1']]);
    });

    storeTest('yields thousands of entries', async (store) => {
      const count = 3_000;
      await store.transact((tx) => {
        for (let index = 0; index < count; index += 1) {
          tx.put(bytes(`n/${String(index).padStart(5, '0')}`), bytes(String(index)));
        }
      });
      const found = await readTexts(store, 'n/', 'n0');
      expect(found.length).toBe(count);
      expect(found[count - 1]).toBe('n/02999=2999');
    });
  });
}

function mergedRangeCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('ranges over pending writes', () => {
    const merged: [string, KeyRange, string[]][] = [
      ['in full', textRange('', '~'), ['a=1', 'b=new', 'ba=new', 'd=4', 'f=new']],
      [
        'backwards',
        textRange('', '~', { reverse: true }),
        ['f=new', 'd=4', 'ba=new', 'b=new', 'a=1'],
      ],
      ['limited', textRange('', '~', { limit: 3 }), ['a=1', 'b=new', 'ba=new']],
      ['limited backwards', textRange('', '~', { limit: 2, reverse: true }), ['f=new', 'd=4']],
      ['with a limit of zero', textRange('', '~', { limit: 0 }), []],
      ['between bounds', textRange('b', 'd'), ['b=new', 'ba=new']],
      ['between bounds in reverse', textRange('b', 'd', { reverse: true }), ['ba=new', 'b=new']],
      ['where every entry is removed', textRange('c', 'd'), []],
      ['where there are only stored entries', textRange('d', 'e', { limit: 1 }), ['d=4']],
      ['where there are only pending entries', textRange('e', '~', { limit: 1 }), ['f=new']],
      ['past the last entry of both', textRange('g', '~', { reverse: true }), []],
    ];
    for (const [name, range, expected] of merged) {
      storeTest(`merge pending and stored entries in order, ${name}`, async (store) => {
        await putTexts(store, { a: '1', b: '2', c: '3', d: '4', e: '5' });
        const found = await store.transact((tx) => {
          tx.put(bytes('f'), bytes('new'));
          tx.put(bytes('b'), bytes('new'));
          tx.remove(bytes('c'));
          tx.remove(bytes('e'));
          tx.remove(bytes('absent'));
          tx.put(bytes('ba'), bytes('new'));
          return texts(tx.range(range));
        });
        expect(found).toEqual(expected);
      });
    }
  });
}

function readKeys(store: Store, range: KeyRange): Promise<number[][]> {
  return store.read((tx) => Array.from(tx.range(range), ({ key }) => [...key]));
}
