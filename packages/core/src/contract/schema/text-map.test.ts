/**
 * Maps of text: bounded, with repeated members, and safe from the names that objects are made of.
 */
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { DUPLICATE_MARK, parseJson } from './json.js';
import { textMap } from './text.js';

const schema = textMap({ entriesMax: 2, bytesMax: 9 });
const parsed = (text: string) => parseJson(Buffer.from(text, 'utf8'));

test.each(['{}', '{"a":"b"}', '{"a":"b","c":"d"}', '{"éé":"x"}', '{"__proto__":"x"}'])(
  'takes %s as it is',
  (text) => {
    const { value } = parsed(text);
    expect(JSON.stringify(v.parse(schema, value))).toBe(text);
  },
);

test.each([
  '[]',
  'null',
  '{"a":1}',
  '{"a":null}',
  '{"a":" "}',
  '{"":"b"}',
  '{"a":"b","c":"d","e":"f"}',
  '{"aaaaaaaaaa":"b"}',
  '{"a":"ééééé"}',
  `{"${JSON.stringify(DUPLICATE_MARK).slice(1, -1)}":true}`,
])('refuses %s', (text) => {
  expect(v.is(schema, parsed(text).value)).toBe(false);
});

test('lets a repeated member pass, of which the last one has won', () => {
  const { value, withDuplicatesMarked } = parsed('{"a":"b","a":"c"}');
  expect(v.parse(schema, value)).toEqual({ a: 'c' });
  const issues = v.safeParse(schema, withDuplicatesMarked).issues ?? [];
  expect(issues.filter(({ kind }) => kind !== 'validation')).toEqual([]);
});
