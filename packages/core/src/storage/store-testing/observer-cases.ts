/** Cases about observers, for stores that see every commit. */
import { setImmediate } from 'node:timers';
import { keyBytes } from '../store/bytes.js';
import type { CommitObserver, CommittedWrites, Store } from '../store/store.js';
import { bytes, failureOf, getText, text, type ConformanceKit } from './conformance-kit.js';

/** Declares the cases about observers. They pass without work on a store that offers none. */
export function observerCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('observers', () => {
    storeTest('are offered only where no other process can change the data', async (store) => {
      expect(store.isShared && store.observe !== undefined).toBe(false);
      return Promise.resolve();
    });

    storeTest('hear of the writes of each body, in order', async (store) => {
      if (store.observe === undefined) return;
      const heard = heardBy(store);
      await Promise.all([
        store.transact((tx) => {
          tx.put(bytes('a'), bytes('1'));
          tx.put(bytes('b'), bytes('2'));
          tx.put(bytes('a'), bytes('3'));
        }),
        failureOf(() =>
          store.transact((tx) => {
            tx.put(bytes('c'), bytes('4'));
            throw new Error('refused');
          }),
        ),
        store.transact((tx) => tx.remove(bytes('b'))),
        store.read((tx) => tx.get(bytes('a'))),
      ]);
      expect(heard).toEqual(['a=3 b=2', 'b=']);
    });

    storeTest('hear of the writes of a body before the next one runs', async (store) => {
      if (store.observe === undefined) return;
      const known = new Set<string>();
      const hear = (writes: CommittedWrites): void => {
        for (const key of writes.keys()) known.add(text(keyBytes(key)) ?? '');
      };
      store.observe({ written: hear, committed: hear, failed: () => undefined });
      const bodies = Array.from({ length: 40 }, (_, index) =>
        store.transact((tx) => {
          const isKnown = index === 0 || known.has(`k${index - 1}`);
          tx.put(bytes(`k${index}`), bytes('1'));
          return isKnown;
        }),
      );
      expect((await Promise.all(bodies)).includes(false)).toBe(false);
    });

    storeTest(
      'hear of a commit before its caller does, and before any read sees it',
      async (store) => {
        if (store.observe === undefined) return;
        const order: string[] = [];
        store.observe({ committed: () => order.push('observer'), failed: () => undefined });
        const watch = async (): Promise<void> => {
          while ((await getText(store, 'a')) === undefined) {
            await new Promise((resolve) => setImmediate(resolve));
          }
          order.push('read');
        };
        const change = async (): Promise<void> => {
          await store.transact((tx) => tx.put(bytes('a'), bytes('1')));
          order.push('caller');
        };
        await Promise.all([watch(), change()]);
        expect(order[0]).toBe('observer');
        expect(order.length).toBe(3);
      },
    );
  });
}

/** Observes a store. Returns what was heard, one text for each body. */
function heardBy(store: Store): string[] {
  const heard: string[] = [];
  const observer: CommitObserver = {
    committed: (writes) => {
      const shown = Array.from(
        writes.keys(),
        (key) => `${text(keyBytes(key)) ?? ''}=${text(writes.get(key)) ?? ''}`,
      );
      heard.push(shown.join(' '));
    },
    failed: () => heard.push('failed'),
  };
  store.observe?.(observer);
  return heard;
}
