/** Cases about appended entries: their positions always follow the order of commits. */
import { FIRST_POSITION } from '../store/position.js';
import { POSITION_BYTES, type Store } from '../store/store.js';
import { bytes, failureOf, kindOf, text, type ConformanceKit } from './conformance-kit.js';

/** Declares the cases about positions. */
export function positionCases(kit: ConformanceKit): void {
  orderCases(kit);
  visibilityCases(kit);
  removalCases(kit);
  horizonCases(kit);
  lastingCases(kit);
}

function orderCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('positions', () => {
    storeTest(
      'have the order of commits, and in one body the order of its calls',
      async (store) => {
        await append(store, 'a1', 'a2');
        await append(store, 'b1');
        await append(store, 'c1', 'c2', 'c3');
        expect(await readValues(store)).toEqual(['a1', 'a2', 'b1', 'c1', 'c2', 'c3']);
      },
    );

    storeTest(
      'are distinct among commits at once, and keep the order of each body',
      async (store) => {
        const names = Array.from({ length: 24 }, (_, index) => `n${index}`);
        await Promise.all(names.map((name) => append(store, `${name}:1`, `${name}:2`)));
        const found = await readValues(store);
        expect(found.length).toBe(48);
        const pairs = names.map((name) => [found.indexOf(`${name}:1`), found.indexOf(`${name}:2`)]);
        expect(pairs.every(([one, two]) => one !== -1 && two === (one ?? 0) + 1)).toBe(true);
      },
    );

    storeTest('follow the order in which bodies saw one another', async (store) => {
      const step = (): Promise<void> =>
        store.transact((tx) => {
          const count = Number(text(tx.get(bytes('count'))) ?? '0') + 1;
          tx.put(bytes('count'), bytes(String(count)));
          tx.append(PREFIX, bytes(String(count)));
        });
      await Promise.all(Array.from({ length: 16 }, step));
      expect(await readValues(store)).toEqual(Array.from({ length: 16 }, (_, n) => String(n + 1)));
    });

    storeTest('are in one order across prefixes', async (store) => {
      await append(store, 'a');
      await store.transact((tx) => {
        tx.append(bytes('other/'), bytes('b'));
      });
      await append(store, 'c');
      const [a = '', c = ''] = await readPositions(store);
      const [b = ''] = await readPositions(store, 'other/');
      expect([a < b, b < c, a.length]).toEqual([true, true, 2 * POSITION_BYTES]);
    });
  });
}

function visibilityCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('appended entries', () => {
    storeTest('are not seen by their own body, and leave nothing when it throws', async (store) => {
      const seen = await store.transact((tx) => {
        tx.append(PREFIX, bytes('a'));
        return Array.from(tx.range(span(PREFIX_TEXT))).length;
      });
      await failureOf(() =>
        store.transact((tx) => {
          tx.append(PREFIX, bytes('b'));
          throw new Error('refused');
        }),
      );
      expect([seen, await readValues(store)]).toEqual([0, ['a']]);
    });

    storeTest(
      'are seen by the bodies after them, with puts and removals of their commit',
      async (store) => {
        const first = store.transact((tx) => {
          tx.append(PREFIX, bytes('a'));
          tx.put(bytes('x'), bytes('1'));
        });
        const second = store.transact((tx) => {
          const entries = Array.from(tx.range(span(PREFIX_TEXT)), ({ value }) => text(value));
          return `${text(tx.get(bytes('x'))) ?? ''} ${entries.join()}`;
        });
        await first;
        // On some stores, the second one may come first.
        expect(['1 a', ' '].includes(await second)).toBe(true);
      },
    );
  });
}

function removalCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('appended entries, as any others,', () => {
    storeTest('can be removed, also while others are appended', async (store) => {
      await append(store, 'a', 'b', 'c');
      const [first] = await readKeys(store);
      await Promise.all([
        store.transact((tx) => {
          if (first !== undefined) tx.remove(first);
        }),
        append(store, 'd'),
      ]);
      expect(await readValues(store)).toEqual(['b', 'c', 'd']);
    });

    storeTest('copy their prefix and value', async (store) => {
      await store.transact((tx) => {
        const prefix = Uint8Array.from(PREFIX);
        const value = bytes('a');
        tx.append(prefix, value);
        prefix.fill(0x7a);
        value.fill(0x7a);
      });
      expect(await readValues(store)).toEqual(['a']);
    });

    storeTest('are refused where their key would be too long, or empty', async (store) => {
      const kinds = [new Uint8Array(), new Uint8Array(1_978 - POSITION_BYTES + 1)].map(
        async (prefix) =>
          kindOf(
            await failureOf(() =>
              store.transact((tx) => {
                tx.append(prefix, bytes('a'));
              }),
            ),
          ),
      );
      expect(await Promise.all(kinds)).toEqual(['RangeError', 'RangeError']);
    });
  });
}

function horizonCases({ describe, storeTest, expect }: ConformanceKit): void {
  describe('the horizon', () => {
    storeTest('is above every entry of a quiet store, and rises with commits', async (store) => {
      const before = await horizonOf(store);
      await append(store, 'a');
      const [position = ''] = await readPositions(store);
      let after = await horizonOf(store);
      // A commit of another store may be under way in the same engine.
      while (after <= position) after = await horizonOf(store);
      expect([before <= position, position < after, before.length]).toEqual([
        true,
        true,
        2 * POSITION_BYTES,
      ]);
    });

    storeTest('bounds what a reader has seen: no later entry is below it', async (store) => {
      let from: Uint8Array = FIRST_POSITION;
      const seen: string[] = [];
      const writers = Array.from({ length: 40 }, (_, index) => append(store, String(index)));
      const readOn = async (): Promise<void> => {
        const page = await store.read((tx) => {
          const to = Buffer.from(tx.horizon());
          const range = { from: keyAt(from), to: keyAt(to) };
          return { to, values: Array.from(tx.range(range), ({ value }) => text(value) ?? '') };
        });
        from = page.to;
        seen.push(...page.values);
      };
      for (const writer of writers) {
        await readOn();
        await writer;
      }
      while (seen.length < writers.length) await readOn();
      expect(seen).toEqual(await readValues(store));
    });
  });
}

function lastingCases({ describe, testWhere, expect, subject }: ConformanceKit): void {
  describe('positions last', () => {
    testWhere(subject.reopen, 'they go on above those from before a reopening', async (reopen) => {
      const store = await subject.open();
      await append(store, 'a', 'b');
      await append(store, 'c');
      const before = await horizonOf(store);
      await store.close();
      const reopened = await reopen(store);
      await append(reopened, 'd');
      const positions = await readPositions(reopened);
      expect(await readValues(reopened)).toEqual(['a', 'b', 'c', 'd']);
      expect((positions[3] ?? '') >= before).toBe(true);
      await reopened.close();
    });

    testWhere(
      subject.backups,
      'what is appended to a copy is above everything that the original ever had',
      async ({ newDirectory, openCopy }) => {
        const store = await subject.open();
        await append(store, 'a');
        const directory = await newDirectory();
        await store.backup(directory);
        await append(store, 'b');
        const ofOriginal = await horizonOf(store);
        await store.close();
        const copy = await openCopy(directory);
        await append(copy, 'c');
        const positions = await readPositions(copy);
        expect(await readValues(copy)).toEqual(['a', 'c']);
        expect((positions[1] ?? '') >= ofOriginal).toBe(true);
        await copy.close();
      },
    );
  });
}

/** As a key of the tenant p begins, with a number that no family has. */
/** No family has the number 127, so a sealed store leaves these values as they are. */
const PREFIX_TEXT = 'p\0\u007f/';
const PREFIX = bytes(PREFIX_TEXT);

function span(prefix: string): { from: Uint8Array; to: Uint8Array } {
  return { from: bytes(prefix), to: bytes(`${prefix.slice(0, -1)}0`) };
}

function keyAt(position: Uint8Array): Uint8Array {
  return Buffer.concat([PREFIX, position]);
}

function append(store: Store, ...values: readonly string[]): Promise<void> {
  return store.transact((tx) => {
    for (const value of values) tx.append(PREFIX, bytes(value));
  });
}

function readValues(store: Store): Promise<string[]> {
  return store.read((tx) =>
    Array.from(tx.range(span(PREFIX_TEXT)), ({ value }) => text(value) ?? ''),
  );
}

function readKeys(store: Store): Promise<Uint8Array[]> {
  return store.read((tx) =>
    Array.from(tx.range(span(PREFIX_TEXT)), ({ key }) => Uint8Array.from(key)),
  );
}

/** Returns the positions of all entries in hexadecimal, which has their order. */
function readPositions(store: Store, prefix = PREFIX_TEXT): Promise<string[]> {
  return store.read((tx) =>
    Array.from(tx.range(span(prefix)), ({ key }) =>
      Buffer.from(key)
        .toString('hex')
        .slice(2 * prefix.length),
    ),
  );
}

function horizonOf(store: Store): Promise<string> {
  return store.read((tx) => Buffer.from(tx.horizon()).toString('hex'));
}
