/** Tests of freezing, and that every table that packages export is frozen. */
import { expect, test } from 'vitest';
import * as main from '../index.js';
import * as transport from '../transport.js';
import { deepFreeze } from './deep-freeze.js';

test('freezes what is nested, shared or circular, and leaves other objects alone', () => {
  const shared = { list: [{ a: 1 }] };
  const circle: { again?: unknown; pattern: RegExp } = { pattern: /a/g };
  circle.again = circle;
  const value = deepFreeze({ one: shared, other: shared, circle });
  expect(() => {
    (shared.list[0] as { a: number }).a = 2;
  }).toThrow(TypeError);
  expect(Object.isFrozen(value.circle)).toBe(true);
  expect(value.circle.pattern.test('a')).toBe(true);
  expect(value.circle.pattern.lastIndex).toBe(1);
});

const tables = Object.entries({ ...main, ...transport }).filter(
  ([, value]) => typeof value === 'object',
);

test.each(tables)('%s cannot be changed, at any depth', (_name, table) => {
  const open: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || value instanceof RegExp) return;
    if (!Object.isFrozen(value)) open.push(path);
    else for (const [name, each] of Object.entries(value)) visit(each, `${path}.${name}`);
  };
  visit(table, '');
  expect(open).toEqual([]);
});
