/** Cases about the sizes of keys, values and bounds, and other invalid arguments. */
import { KEY_BYTES_MAX, VALUE_BYTES_MAX, type WriteTx } from '../store/store.js';
import { bytes, failureOf, kindOf, readTexts, type ConformanceKit } from './conformance-kit.js';

/** Declares the cases about limits. */
export function limitCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('limits', () => {
    storeTest('accept the longest key and the longest value', async (store) => {
      const key = new Uint8Array(KEY_BYTES_MAX).fill(255);
      const value = new Uint8Array(VALUE_BYTES_MAX).fill(7);
      await store.transact((tx) => tx.put(key, value));
      const found = await store.read((tx) => {
        const stored = tx.get(key);
        const ends = [stored?.length, stored?.[0], stored?.[VALUE_BYTES_MAX - 1]];
        const range = { from: key.subarray(1), to: key, reverse: true };
        return [...ends, Array.from(tx.range(range)).length];
      });
      expect(found).toEqual([VALUE_BYTES_MAX, 7, 7, 0]);
    });

    storeTest('accept empty values and any byte in keys', async (store) => {
      const key = Uint8Array.from({ length: 256 }, (_, index) => index);
      await store.transact((tx) => tx.put(key, new Uint8Array()));
      const found = await store.read((tx) => tx.get(key)?.length);
      expect(found).toBe(0);
    });

    storeTest('distinguish an absent key from an empty value', async (store) => {
      expect(await store.read((tx) => tx.get(bytes('absent')))).toBe(undefined);
    });

    const long = new Uint8Array(KEY_BYTES_MAX + 1).fill(1);
    const key = bytes('k');
    const refused: [string, string, (tx: WriteTx) => unknown][] = [
      ['an empty key', 'RangeError', (tx) => tx.put(new Uint8Array(), key)],
      ['an empty key to read', 'RangeError', (tx) => tx.get(new Uint8Array())],
      ['an empty key to remove', 'RangeError', (tx) => tx.remove(new Uint8Array())],
      ['a key that is too long', 'RangeError', (tx) => tx.put(long, key)],
      ['a key to read that is too long', 'RangeError', (tx) => tx.get(long)],
      ['a value that is too long', 'RangeError', (tx) => tx.put(key, new Uint8Array(2 ** 22 + 1))],
      ['a bound that is too long', 'RangeError', (tx) => tx.range({ from: key, to: long })],
      ['a negative limit', 'RangeError', (tx) => tx.range({ from: key, to: key, limit: -1 })],
      [
        'a limit that is not whole',
        'RangeError',
        (tx) => tx.range({ from: key, to: key, limit: 0.5 }),
      ],
      ['a text as a key', 'TypeError', (tx) => tx.put('k' as unknown as Uint8Array, key)],
      ['a text as a value', 'TypeError', (tx) => tx.put(key, 'v' as unknown as Uint8Array)],
      ['nothing as a bound', 'TypeError', (tx) => tx.range({ from: key } as never)],
    ];
    for (const [name, error, call] of refused) {
      storeTest(`refuse ${name} and drop the writes of the body`, async (store) => {
        const failure = await failureOf(() =>
          store.transact((tx) => {
            tx.put(bytes('first'), key);
            call(tx);
          }),
        );
        expect(kindOf(failure)).toBe(error);
        expect(await readTexts(store)).toEqual([]);
      });
    }
  });
}
