/** Copies of JSON values are equal and share nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyJson } from './json-copy.js';

test('a copy is equal, and changing it leaves the original as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const text = JSON.stringify(value);
      const copy = copyJson(value);
      expect(copy).toEqual(value);
      expect(JSON.stringify(copy)).toBe(text);
      spoil(copy);
      expect(JSON.stringify(value)).toBe(text);
    }),
  );
});

test('a member named __proto__ stays a member', () => {
  const value: unknown = JSON.parse('{"__proto__":{"a":1}}');
  const copy = copyJson(value);
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":1}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  if (Array.isArray(value)) value.push('spoilt');
  else Object.assign(value, { spoilt: true });
}
