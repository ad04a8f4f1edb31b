/**
 * What the model tells has to be there; what it does not tell may be anything.
 */
import { expect, test } from 'vitest';
import { difference } from './compare.js';

test('members that are not told may be anything', () => {
  expect(difference({ id: 'x', at: { ms: 1, text: 'y' } }, { at: { ms: 1 } })).toBeUndefined();
  expect(difference({ id: 'x' }, {})).toBeUndefined();
});

test('members that are told have to be equal, and absent ones are not null', () => {
  expect(difference({ at: { ms: 1 } }, { at: { ms: 2 } })).toBe('answer.at.ms is 1 instead of 2');
  expect(difference({}, { end: null })).toBe('answer.end is undefined instead of null');
  expect(difference({ end: [] }, { end: {} })).toBe('answer.end is [] instead of {}');
});

test('lists are told in full and in order', () => {
  expect(difference([{ id: 1, name: 'a' }, 2], [{ id: 1 }, 2])).toBeUndefined();
  expect(difference([1, 2], [1])).toBe('answer has 2 items instead of 1');
  expect(difference([1, 2], [2, 1])).toBe('answer[0] is 1 instead of 2');
});
