/**
 * Tests of the check on values in memory.
 */
import { describe, expect, test } from 'vitest';
import { assertJson, InvalidJsonError, JSON_DEPTH_MAX } from './json.js';

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

function cycle(): unknown {
  const self: { again?: unknown } = {};
  self.again = self;
  return self;
}

function sharedManyTimes(): unknown {
  let value: unknown = [];
  for (let level = 1; level < 60; level += 1) value = [value, value];
  return value;
}

class Money {
  readonly amount = 1;
}

describe('assertJson', () => {
  test.each([
    null,
    true,
    0,
    '',
    [],
    {},
    [1, [2, { a: null }], '😀'],
    Object.assign(Object.create(null) as object, { a: 1 }),
  ])('gives back the same value: %j', (value) => {
    expect(assertJson(value)).toBe(value);
  });

  test('leaves out members that are undefined, in a copy', () => {
    const kept = { deep: [1] };
    const value = { a: undefined, b: [{ c: 1, d: undefined }], kept };
    const checked = assertJson(value) as { kept: unknown };
    expect(checked).toStrictEqual({ b: [{ c: 1 }], kept: { deep: [1] } });
    expect(checked.kept).toBe(kept);
    expect(Object.keys(value)).toEqual(['a', 'b', 'kept']);
  });

  test('keeps a member named __proto__ in a copy', () => {
    const value = JSON.parse('{"__proto__":{"b":1}}') as Record<string, unknown>;
    const checked = assertJson({ value: Object.assign(value, { c: undefined }) });
    expect(JSON.stringify(checked)).toBe('{"value":{"__proto__":{"b":1}}}');
  });

  test.each([
    ['undefined', undefined],
    ['a function', () => 1],
    ['a symbol', Symbol('a')],
    ['a bigint', 1n],
    ['NaN', NaN],
    ['infinity', [-Infinity]],
    ['a lone surrogate', '\ud800'],
    ['a lone surrogate in a name', { 'a\udc00': 1 }],
    ['a hole', new Array<number>(1)],
    ['an undefined element', [undefined]],
    ['an array with other members', Object.assign([1], { a: 1 })],
    ['an array with a hole and another member', Object.assign(new Array<number>(1), { a: 1 })],
    ['an array of a class', new (class Row extends Array<number> {})()],
    ['an array of bytes', new Uint8Array(1)],
    ['an object of a class', new Money()],
    ['a date', { at: new Date(0) }],
    ['a map', new Map()],
    ['a boxed string', Object('a')],
    ['a member named by a symbol', { [Symbol('a')]: 1 }],
    ['a hidden member', Object.defineProperty({}, 'a', { value: 1 })],
    [
      'an accessor',
      {
        get a() {
          return 1;
        },
      },
    ],
    ['a cycle', cycle()],
    ['a graph that unfolds without end', sharedManyTimes()],
    ['a huge array', new Array<number>(2 ** 32 - 1)],
    ['too deep a value', nested(JSON_DEPTH_MAX + 1)],
  ])('refuses %s', (_name, value) => {
    expect(() => assertJson(value)).toThrow(InvalidJsonError);
  });

  test('takes a value of the greatest depth', () => {
    const value = nested(JSON_DEPTH_MAX);
    expect(assertJson(value)).toBe(value);
  });
});

test('takes as much text as a request body can hold, and no more', () => {
  expect(assertJson({ text: 'x'.repeat(65_000) })).toBeDefined();
  expect(() => assertJson({ text: 'x'.repeat(65_536) })).toThrow(InvalidJsonError);
});
