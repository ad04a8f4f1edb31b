/** Keys have one form per tuple, keep the order of tuples, and separate tenants. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { afterKey, afterPrefix, encodeKey, partsOfKey, trailingUuid } from './key.js';

const shape = ['text', 'uuid', 'text', 'integer'] as const;
const text = fc.string({ unit: 'binary', maxLength: 12 });
const trickyText = fc.oneof(
  text,
  fc.string({ unit: fc.constantFrom('\0', '\u0001', '\u0002', 'a', '\u{10FFFF}'), maxLength: 6 }),
);
const tuple = fc.tuple(trickyText, fc.uuid(), trickyText, fc.maxSafeNat());
const key = (tenant: string, parts: readonly unknown[]): Buffer =>
  Buffer.from(encodeKey(tenant, 7, shape, parts));
const utf8 = (value: string): Buffer => Buffer.from(value, 'utf8');

describe('encodeKey', () => {
  test('gives different tuples different keys', () => {
    fc.assert(
      fc.property(trickyText, tuple, trickyText, tuple, (tenant, parts, other, otherParts) => {
        const same = tenant === other && JSON.stringify(parts) === JSON.stringify(otherParts);
        expect(key(tenant, parts).equals(key(other, otherParts))).toBe(same);
      }),
    );
  });

  test('keeps the order of texts by their UTF-8 bytes', () => {
    fc.assert(
      fc.property(trickyText, trickyText, fc.uuid(), (one, other, id) => {
        const order = Buffer.compare(key('t', [one, id, '', 0]), key('t', [other, id, '', 0]));
        expect(Math.sign(order)).toBe(Math.sign(Buffer.compare(utf8(one), utf8(other))));
      }),
    );
  });

  test('keeps the order of integers', () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), fc.maxSafeNat(), fc.uuid(), (one, other, id) => {
        const order = Buffer.compare(key('t', ['', id, '', one]), key('t', ['', id, '', other]));
        expect(Math.sign(order)).toBe(Math.sign(one - other));
      }),
    );
  });

  test('keeps the order of numbers', () => {
    const number = fc.oneof(
      fc.double({ noDefaultInfinity: true, noNaN: true }),
      fc.constantFrom(0, -0, 1),
    );
    const numberKey = (value: number): Uint8Array => encodeKey('t', 7, ['number'], [value]);
    fc.assert(
      fc.property(number, number, (one, other) => {
        const order = Buffer.compare(numberKey(one), numberKey(other));
        expect(order).toBe(one === other ? 0 : one < other ? -1 : 1);
      }),
    );
  });

  test('keeps every key of a tenant out of the range of another', () => {
    fc.assert(
      fc.property(trickyText, trickyText, tuple, (tenant, other, parts) => {
        fc.pre(tenant !== other);
        const from = encodeKey(other, 7, shape, []);
        const inside = key(tenant, parts);
        const within = Buffer.compare(inside, from) >= 0;
        expect(within && Buffer.compare(inside, afterPrefix(from)) < 0).toBe(false);
      }),
    );
  });

  test('ends with an id that trailingUuid reads back', () => {
    fc.assert(
      fc.property(trickyText, fc.uuid(), (tenant, id) => {
        expect(trailingUuid(encodeKey(tenant, 1, ['uuid'], [id]))).toBe(id);
      }),
    );
  });
});

describe('bounds of ranges', () => {
  test('afterPrefix is above every key with the prefix and not above the next prefix', () => {
    expect(Buffer.from(afterPrefix(Buffer.from([1, 0xff, 0xff])))).toEqual(Buffer.from([2]));
    expect(() => afterPrefix(Buffer.from([0xff]))).toThrow(RangeError);
  });

  test('afterKey is the next greater key', () => {
    expect(Buffer.from(afterKey(Buffer.from([1])))).toEqual(Buffer.from([1, 0]));
  });
});

describe('partsOfKey', () => {
  test('returns the parts that a key was made of', () => {
    const all = ['text', 'uuid', 'digest', 'integer', 'number', 'text'] as const;
    const digest = fc.uint8Array({ minLength: 32, maxLength: 32 });
    const number = fc.double({ noDefaultInfinity: true, noNaN: true }).map((each) => each + 0);
    const parts = fc.tuple(trickyText, fc.uuid(), digest, fc.maxSafeNat(), number, trickyText);
    fc.assert(
      fc.property(trickyText, parts, (tenant, given) => {
        const read = partsOfKey(all, encodeKey(tenant, 7, all, given));
        expect(read.map(comparable)).toEqual(given.map(comparable));
      }),
    );
  });
});

function comparable(part: string | number | Uint8Array): string | number {
  return part instanceof Uint8Array ? Buffer.from(part).toString('hex') : part;
}
