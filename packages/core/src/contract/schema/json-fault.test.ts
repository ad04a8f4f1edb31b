/** The member that JSON cannot write is named, and values without an end are refused. */
import { expect, test } from 'vitest';
import { AgentkeepError, type RefusedMember } from '../errors/agentkeep-error.js';
import { jsonDocument } from './json-assert.js';

function refusedIn(document: unknown): readonly RefusedMember[] {
  try {
    jsonDocument(document, 1_000);
  } catch (error) {
    if (error instanceof AgentkeepError) return error.members;
    throw error;
  }
  return [];
}

function cycleWith(members: object): object {
  const cycle: Record<string, unknown> = { ...members };
  cycle['self'] = cycle;
  return cycle;
}

test('names the member at fault', () => {
  const number = 'a finite number that a double holds; write larger integers as texts';
  expect(refusedIn({ a: [1, { b: NaN }] })).toEqual([{ path: 'a[1].b', expected: number }]);
  expect(refusedIn({ a: new Map() })).toMatchObject([{ path: 'a' }]);
  expect(refusedIn({ a: 'x'.repeat(2_000) })).toMatchObject([
    { path: 'a', expected: 'at most 1000 bytes of JSON in all' },
  ]);
});

test('names no member of what is too deep', () => {
  const deep = Array.from({ length: 80 }).reduce<unknown>((inner) => [inner], 1);
  const member = { path: '', expected: 'at most 64 levels of objects and arrays' };
  expect(refusedIn({ a: deep })).toEqual([member]);
  expect(refusedIn(cycleWith({}))).toEqual([member]);
});

test('refuses a cycle that is too large before it is too deep', () => {
  expect(refusedIn(cycleWith({ text: 'x'.repeat(100) }))).toHaveLength(1);
});
