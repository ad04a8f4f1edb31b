/** Tables of fields store members in the right places and read them back. */
import { expect, test } from 'vitest';
import {
  coded,
  type Field,
  json,
  nested,
  number,
  orNull,
  spread,
  spreadOrNull,
  text,
} from './fields.js';

const pair = { a: text, b: number };
const upper = coded(
  (value: string) => value.toUpperCase(),
  (stored: string) => stored.toLowerCase(),
);

/** Checks the places that a value takes after another member, and that it is read back. */
const stores =
  <T>(field: Field<T>, value: T, stored: readonly unknown[]) =>
  () => {
    const array: unknown[] = ['before'];
    field.write(value, array);
    expect(array).toEqual(['before', ...stored]);
    expect(field.elements).toBe(stored.length);
    expect(field.read(array, 1)).toStrictEqual(value);
  };

const known = { a: 'x', b: 1 };
const nullable = spread({ s: spreadOrNull(pair, [null, 0]), d: text });

test.each([
  ['members in the order of the table', stores(spread(pair), { b: 1, a: 'x' }, ['x', 1])],
  ['JSON unchanged', stores(spread({ a: json<object>() }), { a: { b: [null] } }, [{ b: [null] }])],
  ['a coded member', stores(spread({ a: upper, b: text }), { a: 'x', b: 'y' }, ['X', 'y'])],
  ['null without encoding it', stores(spread({ a: orNull(upper) }), { a: null }, [null])],
  [
    'a nested object in one place',
    stores(spread({ n: nested(pair), c: text }), { n: known, c: 'z' }, [['x', 1], 'z']),
  ],
  [
    'a spread object among its neighbours',
    stores(spread({ c: text, s: spread(pair), d: text }), { c: 'c', s: known, d: 'd' }, [
      'c',
      'x',
      1,
      'd',
    ]),
  ],
  ['a nullable object', stores(nullable, { s: known, d: 'd' }, ['x', 1, 'd'])],
  ['an object that is null', stores(nullable, { s: null, d: 'd' }, [null, 0, 'd'])],
])('a table stores %s', (_title, check) => {
  check();
});

test('tables with too few places are refused', () => {
  expect(() => orNull(spread(pair))).toThrow(TypeError);
  expect(() => spreadOrNull(pair, [null])).toThrow(TypeError);
});

test('a member without a field does not compile', () => {
  // @ts-expect-error The table lacks `b`.
  expect(spread<{ a: string; b: number }>({ a: text }).elements).toBe(1);
});
