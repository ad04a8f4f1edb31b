/** How members of an interface are counted. */
import { expect, test } from 'vitest';
import { countMembers } from './count-members.ts';

const SOURCE = `
interface Other { a: string }
/** It has three. */
export interface Services extends Other {
  readonly store: { get(): void; put(): void };
  find(name: string): void;
  readonly ports?: readonly unknown[];
}
`;

test('a member counts once, whatever its type has', () => {
  expect(countMembers(SOURCE, 'Services')).toBe(3);
  expect(countMembers(SOURCE, 'Other')).toBe(1);
});

test('a missing interface is an error, so that a renamed one is not forgotten', () => {
  expect(() => countMembers(SOURCE, 'Runtime')).toThrow('There is no interface Runtime.');
});
