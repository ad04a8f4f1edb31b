/** An overlay reads as a sorted map would, at a cost in the logarithm of its writes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { copyBytes, keyBytes, keyText } from './bytes.js';
import { Overlay } from './overlay.js';
import { SortedTexts } from './sorted-texts.js';
import type { KeyRange, ReadTx } from './store.js';

const EMPTY: ReadTx = { get: () => undefined, range: () => [] };

/** A plain map, read by sorting it each time. */
class Model implements ReadTx {
  readonly values = new Map<string, Uint8Array>();

  get(key: Uint8Array): Uint8Array | undefined {
    return this.values.get(keyText(key));
  }

  range({ from, to, reverse = false, limit = Infinity }: KeyRange) {
    const within = [...this.values.keys()]
      .filter((text) => text >= keyText(from) && text < keyText(to))
      .sort();
    if (reverse) within.reverse();
    return within
      .slice(0, limit)
      .map((text) => ({ key: keyBytes(text), value: this.values.get(text) ?? new Uint8Array() }));
  }
}

const key = fc.uint8Array({ minLength: 1, maxLength: 2 });
const bound = fc.uint8Array({ maxLength: 2 });
type Step =
  | { readonly type: 'put'; readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly type: 'remove'; readonly key: Uint8Array }
  | ({ readonly type: 'range' } & Required<Pick<KeyRange, 'from' | 'to' | 'reverse'>> & {
        readonly limit: number | undefined;
      });

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('put' as const), key, value: key }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constant('remove' as const), key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('range' as const),
      from: bound,
      to: bound,
      reverse: fc.boolean(),
      limit: fc.option(fc.nat({ max: 40 }), { nil: undefined }),
    }),
  },
);

function expectSame(stored: readonly Uint8Array[], steps: readonly Step[]): void {
  const base = new Model();
  const model = new Model();
  for (const each of stored) {
    base.values.set(keyText(each), each);
    model.values.set(keyText(each), each);
  }
  const overlay = new Overlay(base);
  for (const each of steps) {
    if (each.type === 'put') {
      overlay.put(each.key, each.value);
      model.values.set(keyText(each.key), each.value);
    } else if (each.type === 'remove') {
      overlay.remove(each.key);
      model.values.delete(keyText(each.key));
    } else {
      const { from, to, reverse, limit } = each;
      const range = { from, to, reverse, ...(limit === undefined ? {} : { limit }) };
      expect(textsOf(overlay.range(range))).toEqual(textsOf(model.range(range)));
    }
  }
  for (const reverse of [false, true]) {
    const all = { from: new Uint8Array(), to: Uint8Array.from([255, 255, 255]), reverse };
    expect(textsOf(overlay.range(all))).toEqual(textsOf(model.range(all)));
  }
}

function textsOf(entries: ReturnType<ReadTx['range']>): string[] {
  return Array.from(entries, (entry) => `${keyText(entry.key)}=${keyText(entry.value)}`);
}

describe('an overlay', () => {
  test('reads as a plain sorted map after any writes', () => {
    fc.assert(
      fc.property(
        fc.array(key, { maxLength: 60 }),
        fc.array(step, { maxLength: 400, size: 'max' }),
        expectSame,
      ),
      { numRuns: 40 },
    );
  });

  test('reads as a plain sorted map when it holds thousands of keys', () => {
    const steps = Array.from({ length: 6_000 }, (_, index): Step => {
      const place = (index * 40_503) % 65_536;
      return { type: 'put', key: Uint8Array.from([place >> 8, place & 255]), value: Buffer.of(1) };
    });
    expectSame([], steps);
  });
});

/** Comparisons of a body that writes `count` keys and reads a short range after each write. */
function comparisonsOf(count: number, range: (key: Uint8Array) => KeyRange): number {
  let comparisons = 0;
  let found = 0;
  const ordered = new SortedTexts((one, other) => {
    comparisons += 1;
    return one < other;
  });
  const overlay = new Overlay(EMPTY, copyBytes, ordered);
  const keyAt = (index: number): Uint8Array => {
    const bytes = Buffer.alloc(4);
    // Multiplying by an odd number scatters the keys without repeating one.
    bytes.writeUInt32BE(Math.imul(index, 2_654_435_761) >>> 0);
    return bytes;
  };
  for (let index = 0; index < count; index += 1) {
    overlay.put(keyAt(index), new Uint8Array());
    found += Array.from(overlay.range(range(keyAt(index)))).length;
  }
  expect(found).toBe(count);
  return comparisons;
}

describe('writes that alternate with ranges', () => {
  const everything = { from: new Uint8Array(), to: Uint8Array.from([255, 255, 255, 255, 255]) };
  const ranges: Record<string, (key: Uint8Array) => KeyRange> = {
    'the written key': (key) => ({ from: key, to: Buffer.from([...key, 0]) }),
    'the first of all': () => ({ ...everything, limit: 1 }),
    'the last of all': () => ({ ...everything, limit: 1, reverse: true }),
  };
  test.each(Object.entries(ranges))('cost O(n log n) comparisons to read %s', (_, range) => {
    const perWrite = (count: number): number => comparisonsOf(count, range) / count;
    // A body that sorts or copies its writes for each range pays in proportion to their number.
    expect(perWrite(8_000)).toBeLessThan(100);
    expect(perWrite(8_000)).toBeLessThan(2 * perWrite(500));
  });
});
