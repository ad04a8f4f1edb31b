/** Tests which titles are found to show a case. */
import { expect, test } from 'vitest';
import { caseTitles } from './case-titles.ts';

const titles = (...lines: string[]) =>
  caseTitles([{ path: 'a.test.ts', text: lines.join('\n') }]).map(({ id, title }) => [id, title]);

test('a title shows the cases that it cites', () => {
  expect(
    titles("test('ABC-C1, ABC-2 holds', () => {", '  overHttp(`ABC-C3 is ${name}`, f);'),
  ).toEqual([
    ['ABC-C1', 'holds'],
    ['ABC-C3', 'is ${name}'],
  ]);
});

test('a comment stands for the title before it', () => {
  expect(titles("test('holds', () => {", '  // ABC-C1')).toEqual([['ABC-C1', 'holds']]);
});

test('a group that is named by numbers alone has the titles in it', () => {
  expect(titles("describe('ABC-C14', () => {", "  test('is clean', f);")).toEqual([
    ['ABC-C14', 'is clean'],
  ]);
});

test('other files have no tests', () => {
  expect(caseTitles([{ path: 'a.ts', text: "test('ABC-C1 holds', f);" }])).toEqual([]);
});
