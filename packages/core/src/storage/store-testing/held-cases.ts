/** Cases about states that are held while writes go on. */
import {
  bytes,
  type ConformanceKit,
  failureOf,
  kindOf,
  putTexts,
  readTexts,
  textRange,
  texts,
} from './conformance-kit.js';

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
