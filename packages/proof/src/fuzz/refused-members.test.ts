/**
 * The fuzzer finds refusals whose members break the contract.
 */
import { expect, test } from 'vitest';
import { faultsOfMembers } from './refused-members.js';

const contract = '{"enum":["KnownAllowedValue"]}';
const sent = JSON.stringify({ a: ['secret-value-77'], kind: 'KnownAllowedValue' });
const enveloped = (members: unknown) => ({ error: { code: 'invalid_request', members } });
const flat = (members: unknown) => ({ error: 'invalid_request', members });
const one = { path: 'a[0].b', expected: 'one of KnownAllowedValue' };

test.each([
  ['members of the contract', 400, enveloped([one])],
  ['the flat shape', 400, flat([one])],
  ['an empty path, for the whole input', 400, flat([{ ...one, path: '' }])],
  ['a refusal without members', 403, flat(undefined)],
  ['an answer without an error', 200, { members: [1] }],
])('%s is right', (_name, status, body) => {
  expect(faultsOfMembers({ status, body, sent }, contract)).toEqual([]);
});

test.each([
  ['another status', 409, enveloped([one])],
  ['no member', 400, enveloped([])],
  ['too many members', 400, flat(Array.from({ length: 17 }, () => one))],
  ['no list', 400, flat({ ...one })],
  ['a path that is no plain word', 400, flat([{ ...one, path: 'a b' }])],
  ['no expectation', 400, flat([{ path: 'a', expected: ' ' }])],
  ['a value that was sent', 400, enveloped([{ path: 'a', expected: 'not secret-value-77' }])],
])('%s is a fault', (_name, status, body) => {
  expect(faultsOfMembers({ status, body, sent }, contract)).toHaveLength(1);
});
