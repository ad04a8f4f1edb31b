/** Tables of fields: which places members take, and what is read back. */
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

test.each<[string, Field<never>, unknown, unknown[]]>([
  ['members in the order of the table', spread(pair), { b: 1, a: 'x' }, ['x', 1]],
  ['JSON as it is', spread({ a: json() }), { a: { b: [null] } }, [{ b: [null] }]],
  ['a translated member', spread({ a: upper, b: text }), { a: 'x', b: 'y' }, ['X', 'y']],
  ['null without translating it', spread({ a: orNull(upper) }), { a: null }, [null]],
  [
    'a nested object in one place',
    spread({ n: nested(pair), c: text }),
    { n: { a: 'x', b: 1 }, c: 'z' },
    [['x', 1], 'z'],
  ],
  [
    'a spread object among its neighbours',
    spread({ c: text, s: spread(pair), d: text }),
    { c: 'c', s: { a: 'x', b: 1 }, d: 'd' },
    ['c', 'x', 1, 'd'],
  ],
  [
    'an object that is there',
    spread({ s: spreadOrNull(pair, [null, 0]), d: text }),
    { s: { a: 'x', b: 1 }, d: 'd' },
    ['x', 1, 'd'],
  ],
  [
    'an object that is absent',
    spread({ s: spreadOrNull(pair, [null, 0]), d: text }),
    { s: null, d: 'd' },
    [null, 0, 'd'],
  ],
])('a table stores %s', (_title, field: Field<unknown>, value, stored) => {
  const array: unknown[] = ['before'];
  field.write(value, array);
  expect(array).toEqual(['before', ...stored]);
  expect(field.places).toBe(stored.length);
  expect(field.read(array, 1)).toStrictEqual(value);
});

test('tables that would lose places are refused', () => {
  expect(() => orNull(spread(pair))).toThrow(TypeError);
  expect(() => spreadOrNull(pair, [null])).toThrow(TypeError);
});

test('a member without a field does not compile', () => {
  // @ts-expect-error The table lacks `b`.
  expect(spread<{ a: string; b: number }>({ a: text }).places).toBe(1);
});
