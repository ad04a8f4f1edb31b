/**
 * Tests of strict JSON by example.
 */
import { describe, expect, test } from 'vitest';
import {
  assertJson,
  canonicalJson,
  DUPLICATE_MARK,
  InvalidJsonError,
  JSON_DEPTH_MAX,
  parseJson,
} from './json.js';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const parse = (text: string) => parseJson(bytesOf(text));
const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);

describe('parseJson', () => {
  test.each(['1', '"a"', 'null', ' [1, 2.50, -0, 1e3] ', '{"a":{"a":[]},"b":"\\ud83d\\ude00:"}'])(
    'reads %s',
    (text) => {
      expect(parse(text)).toEqual({ value: JSON.parse(text) as unknown });
    },
  );

  test.each([
    '',
    ' ',
    '{',
    '{"a":1,}',
    '[1] 2',
    "{'a':1}",
    'NaN',
    '01',
    '"\t"',
    '\uFEFF1',
    '\u00a01',
    '1e400',
    '[-1e999]',
    '{"a":1e400,"a":1}',
    '"\\ud800"',
    '"\\udc00\\ud800"',
    '{"\\udfff":1}',
    '{"a":"\\ud800","a":1}',
    '{"\\ud800":1,"\\ud800":1}',
  ])('refuses %j', (text) => {
    expect(() => parse(text)).toThrow(InvalidJsonError);
  });

  test.each([
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x31]],
    ['an overlong form', [0x22, 0xc0, 0xaf, 0x22]],
    ['an encoded surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['a cut sequence', [0x22, 0xe2, 0x82, 0x22]],
    ['UTF-16', [0x31, 0x00]],
  ])('refuses %s', (_name, bytes) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(InvalidJsonError);
  });

  test('never quotes the input in its message', () => {
    expect(() => parse('{"password":hunter2}')).toThrow('The text is not one JSON value.');
  });

  test('counts objects and arrays from the outermost one; scalars nest nothing', () => {
    expect(parse(arrays(JSON_DEPTH_MAX))).toHaveProperty('value');
    expect(() => parse(arrays(JSON_DEPTH_MAX + 1))).toThrow(InvalidJsonError);
    expect(parse(objects(JSON_DEPTH_MAX))).toHaveProperty('value');
    expect(() => parse(objects(JSON_DEPTH_MAX + 1))).toThrow(InvalidJsonError);
  });

  test('counts the levels of values that a duplicate replaces', () => {
    const replaced = (depth: number) => `{"a":${arrays(depth)},"a":1}`;
    expect(parse(replaced(JSON_DEPTH_MAX - 1)).value).toEqual({ a: 1 });
    expect(() => parse(replaced(JSON_DEPTH_MAX))).toThrow(InvalidJsonError);
    expect(() => parse(replaced(30_000))).toThrow(InvalidJsonError);
  });

  test.each(['['.repeat(65_536), '{"":'.repeat(16_384), arrays(32_768)])(
    'survives the deepest bodies',
    (text) => {
      expect(() => parse(text)).toThrow(InvalidJsonError);
    },
  );
});

describe('duplicate members', () => {
  test('the last wins, and the objects that had one are marked', () => {
    const parsed = parse('{"a":{"x":1,"y":[2],"x":3},"b":{"x":"x:\\"\\u003a","z":{}},"c":true}');
    expect(parsed).toEqual({
      value: { a: { x: 3, y: [2] }, b: { x: 'x:":', z: {} }, c: true },
      withDuplicatesMarked: {
        a: { x: 3, y: [2], [DUPLICATE_MARK]: true },
        b: { x: 'x:":', z: {} },
        c: true,
      },
    });
  });

  test('are found however their names are spelt', () => {
    expect(parse('{"a":1, "\\u0061" : 2 }').withDuplicatesMarked).toEqual({
      a: 2,
      [DUPLICATE_MARK]: true,
    });
  });

  test('leave no mark where a replaced value had one', () => {
    expect(parse('{"a":{"b":1,"b":2},"c":1}').withDuplicatesMarked).toHaveProperty('a');
    expect(parse('[{"a":{"b":1,"b":2},"a":1}]').withDuplicatesMarked).toEqual([
      { a: 1, [DUPLICATE_MARK]: true },
    ]);
  });

  test('do not replace a member that has the name of the mark', () => {
    const { value, withDuplicatesMarked } = parse('{"\\u0000duplicate":7,"a":1,"a":2}');
    expect(withDuplicatesMarked).toEqual(value);
  });
});

describe('members with names of Object.prototype', () => {
  const text = '{"__proto__":{"isAdmin":true},"constructor":{"prototype":1},"toString":null}';
  const twice = `{"__proto__":[],${text.slice(1)}`;

  test('are ordinary members', () => {
    const { value } = parse(text);
    expect(JSON.stringify(value)).toBe(text);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(JSON.stringify(assertJson(value))).toBe(text);
    expect(canonicalJson(value)).toBe(text);
  });

  test('are ordinary members where one is a duplicate', () => {
    const { value, withDuplicatesMarked: marked } = parse(twice);
    expect(JSON.stringify(value)).toBe(text);
    expect(JSON.stringify(marked)).toBe(`${text.slice(0, -1)},"\\u0000duplicate":true}`);
    expect(Object.getPrototypeOf(marked)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('isAdmin');
  });
});

describe('canonicalJson', () => {
  test('sorts by UTF-16 code units, and writes numbers and strings as JSON.stringify does', () => {
    const value = { '\uFB33': 1, '\u{1F600}': [], 10: -0, 9: 1e21, é: '\u2028\u0007"/', '': 0.1 };
    expect(canonicalJson(value)).toBe(
      '{"":0.1,"10":0,"9":1e+21,"é":"\u2028\\u0007\\"/","\u{1F600}":[],"\uFB33":1}',
    );
  });

  test('refuses what JSON cannot write', () => {
    const unset = JSON.parse('{"a":1}') as { a: number };
    unset.a = NaN;
    expect(() => canonicalJson(unset)).toThrow(InvalidJsonError);
    expect(() => canonicalJson([undefined as never])).toThrow(InvalidJsonError);
  });
});
