/** The speculative store passes the conformance suite, and discards its extra runs of a body. */
import { describe, expect, test } from 'vitest';
import { inMemoryStore } from '../in-memory-store/in-memory-store.js';
import { bytes, putTexts, text } from './conformance-kit.js';
import type { ReadTx } from '../store/store.js';
import { speculative } from './speculative-store.js';
import { storeConformance } from './store-conformance.js';

storeConformance(
  { describe, test, expect },
  {
    name: 'speculative',
    open: () => Promise.resolve(speculative(inMemoryStore())),
    reopen: { reason: 'an in-memory store keeps nothing' },
    backups: { reason: 'an in-memory store has no files' },
  },
);

describe('a body', () => {
  test('runs on an empty state, on the previous state, and then on the current one', async () => {
    const store = speculative(inMemoryStore());
    await putTexts(store, { key: 'first' });
    await putTexts(store, { key: 'second' });
    const seen: (string | undefined)[] = [];
    const result = await store.read((tx) => {
      const found = text(tx.get(bytes('key')));
      seen.push(found);
      return found;
    });
    expect(seen[0]).toBeUndefined();
    expect(seen[1]).toBe('first');
    expect(seen.at(-1)).toBe('second');
    expect(result).toBe('second');
  });

  test('is interrupted at each of its first reads', async () => {
    const store = speculative(inMemoryStore());
    await putTexts(store, { a: '1', b: '2', c: '3' });
    const reached = new Set<number>();
    for (let round = 0; round < 16; round += 1) {
      await store.read((tx) => {
        for (const [index, key] of ['a', 'b', 'c'].entries()) {
          try {
            tx.get(bytes(key));
          } catch {
            reached.add(index);
            return;
          }
        }
      });
    }
    expect([...reached].sort()).toEqual([0, 1, 2]);
  });

  test('stores no write of a discarded run', async () => {
    const store = speculative(inMemoryStore());
    let run = 0;
    await store.transact((tx) => {
      run += 1;
      tx.put(bytes(`run ${String(run)}`), bytes('x'));
    });
    expect((await store.stats()).entries).toBe(1);
    expect(run).toBeGreaterThan(2);
  });

  test('that writes may choose 16 reads by what it read before, and no more', async () => {
    const store = speculative(inMemoryStore());
    const keys = Array.from({ length: 17 }, (_, at) => String(at).padStart(2, '0'));
    await putTexts(store, Object.fromEntries(keys.map((key) => [key, key])));
    const walk = (tx: ReadTx, steps: number) => {
      let from = bytes('0');
      for (let step = 0; step < steps; step += 1) {
        const [next] = Array.from(tx.range({ from, to: bytes('~'), limit: 1 }), ({ key }) => key);
        if (next !== undefined) from = Buffer.concat([next, bytes('+')]);
      }
      return text(from);
    };
    expect(await store.transact((tx) => walk(tx, 15))).toBe('14+');
    await expect(store.transact((tx) => walk(tx, 17))).rejects.toThrow('16 reads in turn');
    expect(await store.read((tx) => walk(tx, 17))).toBe('16+');
    const all = (tx: ReadTx) => Array.from(tx.range({ from: bytes('0'), to: bytes('~') }));
    expect(await store.transact((tx) => all(tx).length)).toBe(17);
  });
});
