/** Front matter as people and their editors write it. */
import { expect, test } from 'vitest';
import { readFrontMatter } from './front-matter.js';

test.each([
  ['a byte order mark', '\u{feff}---\nname: x\n---\nBody\n', { name: 'x' }, 'Body\n'],
  ['line ends of Windows', '---\r\nname: x\r\n---\r\nBody\r\n', { name: 'x' }, 'Body\n'],
  ['a folded text', '---\nd: >-\n  one\n  two\n---\nB', { d: 'one two' }, 'B'],
  ['a literal text', '---\nd: |\n  one\n  two\n---\nB', { d: 'one\ntwo\n' }, 'B'],
  ['escapes', '---\nd: "say \\"hi\\" \\u00e9"\n---\n', { d: 'say "hi" é' }, ''],
  ['comments', '---\n# none\nd: x # y\n---\n', { d: 'x' }, ''],
  ['nesting', '---\na:\n  b:\n    - 1\n    - c: 2\n---\n', { a: { b: [1, { c: 2 }] } }, ''],
  ['leading zeros', '---\nd: 0123\ne: "0123"\n---\n', { d: '0123', e: '0123' }, ''],
  ['a day', '---\nd: 2026-01-31\n---\n', { d: '2026-01-31' }, ''],
  ['words that are no booleans', '---\nd: no\ne: on\n---\n', { d: 'no', e: 'on' }, ''],
  ['an alias', '---\na: &x [1]\nb: *x\n---\n', { a: [1], b: [1] }, ''],
  ['nothing', '---\n---\nBody', {}, 'Body'],
])('reads %s', (_, text, members, body) => {
  expect(readFrontMatter(text)).toEqual({ members, body });
});

test.each([
  ['no front matter', 'Body\n---\nmore'],
  ['a rule, and a text between two', '---\nSome words\n---\nmore'],
  ['a rule without a second one', '---\nname: x\nmore'],
  ['a list', '---\n- item\n---\nmore'],
])('is all body: %s', (_, text) => {
  expect(readFrontMatter(text)).toEqual({ members: undefined, body: text });
});

test.each([
  ['---\nname: x\nd: "open\n---\n', 'line 4'],
  ['---\na: 1\na: 2\n---\n', 'line 3'],
  ['---\nname: x\n\td: 1\n---\n', 'line'],
  ['---\nd: 1234567890123456789\n---\n', '1234567890123456789 is not exact'],
  ['---\nd: .inf\n---\n', 'no number of JSON'],
  ['---\nd: !!js/function x\n---\n', 'line 2'],
])('CMD-29 refuses what it does not understand: %j', (text, reason) => {
  expect(() => readFrontMatter(text)).toThrow(reason);
});

test('refuses aliases that grow without bound', () => {
  const rows = Array.from({ length: 8 }, (_, at) => {
    const of = at === 0 ? 'x' : `*a${at - 1}`;
    return `a${at}: &a${at} [${Array.from({ length: 9 }, () => of).join(', ')}]`;
  });
  expect(() => readFrontMatter(`---\n${rows.join('\n')}\n---\n`)).toThrow(/alias/i);
});
