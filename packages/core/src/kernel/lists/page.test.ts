/** A page ends at its budget, and always has an item. */
import { expect, test } from 'vitest';
import { PAGE_BYTES_MAX } from '../../contract/limits.js';
import { directoryPage } from './page.js';

const itself = (row: string): string => row;
const pageOf = (rows: readonly string[], limit = 100) => directoryPage(rows, limit, itself, itself);
const half = 'é'.repeat(PAGE_BYTES_MAX / 4 - 1);

test('a page ends at its limit', () => {
  expect(pageOf(['a', 'b', 'c'], 2)).toEqual({ items: ['a', 'b'], next_cursor: 'b' });
  expect(pageOf(['a', 'b'], 2)).toEqual({ items: ['a', 'b'], next_cursor: null });
  expect(pageOf([], 2)).toEqual({ items: [], next_cursor: null });
});

test('a page ends at 4 MiB, counted in bytes of JSON, and its cursor goes on', () => {
  expect(pageOf([half, half])).toEqual({ items: [half, half], next_cursor: null });
  expect(pageOf([half, half, 'x'])).toEqual({ items: [half, half], next_cursor: half });
  expect(pageOf([half, `${half}"`, 'x'])).toEqual({ items: [half], next_cursor: half });
});

test('an item that is larger than a page has a page of its own', () => {
  const large = 'x'.repeat(PAGE_BYTES_MAX + 1);
  expect(pageOf([large, 'y'])).toEqual({ items: [large], next_cursor: large });
  expect(pageOf(['y', large])).toEqual({ items: ['y'], next_cursor: 'y' });
});
