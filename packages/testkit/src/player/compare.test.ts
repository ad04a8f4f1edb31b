/**
 * An answer is compared with the members that the model names, or with all of them.
 */
import { expect, test } from 'vitest';
import { difference, Whole } from './compare.js';

test('a member that the model does not name may have any value', () => {
  expect(difference({ id: 'x', at: { ms: 1, text: 'y' } }, { at: { ms: 1 } })).toBeUndefined();
  expect(difference({ id: 'x' }, {})).toBeUndefined();
});

test('a named member must be equal, and an absent one is not null', () => {
  expect(difference({ at: { ms: 1 } }, { at: { ms: 2 } })).toBe('answer.at.ms is 1 instead of 2');
  expect(difference({}, { end: null })).toBe('answer.end is undefined instead of null');
  expect(difference({ end: [] }, { end: {} })).toBe('answer.end is [] instead of {}');
});

test('a list must be equal in length and order', () => {
  expect(difference([{ id: 1, name: 'a' }, 2], [{ id: 1 }, 2])).toBeUndefined();
  expect(difference([1, 2], [1])).toBe('answer has 2 items instead of 1');
  expect(difference([1, 2], [2, 1])).toBe('answer[0] is 1 instead of 2');
});

test('a whole answer has no member that the model does not name', () => {
  expect(difference({ at: { ms: 1 } }, new Whole({ at: { ms: 1 } }))).toBeUndefined();
  expect(difference({ at: { ms: 1, s: 2 } }, new Whole({ at: { ms: 1 } }))).toBe(
    'answer.at.s is 2 instead of undefined',
  );
  expect(difference([{ id: 1 }], new Whole([{}]))).toBe('answer[0].id is 1 instead of undefined');
});
