/**
 * The fuzzer finds refusals whose members break the contract.
 */
import { expect, test } from 'vitest';
import { faultsOfMembers } from './refused-members.js';

const contract = '{"enum":["KnownAllowedValue"]}';
const sent = JSON.stringify({ a: ['secret-value-77'], kind: 'KnownAllowedValue' });
const enveloped = (members: unknown) => ({ error: { code: 'invalid_request', members } });
const flat = (members: unknown) => ({ error: 'invalid_request', members });
const operationId = 'executeMemoryBatch';
const command = { path: 'commands[3]', expected: 'a current record' };
const one = { path: 'a[0].b', expected: 'one of KnownAllowedValue' };

test.each([
  ['members of the contract', 400, enveloped([one])],
  ['the flat shape', 400, flat([one])],
  ['an empty path, for the whole input', 400, flat([{ ...one, path: '' }])],
  ['a refusal without members', 403, flat(undefined)],
  ['an answer without an error', 200, { members: [1] }],
  ['a refused command of a batch', 409, enveloped([command])],
  ['its scope', 403, enveloped([{ ...command, path: 'commands[3].scope' }])],
  ['the scope of any operation', 403, enveloped([{ ...command, path: 'scope' }])],
])('%s is right', (_name, status, body) => {
  expect(faultsOfMembers({ operationId, status, body, sent }, contract)).toEqual([]);
});

test.each([
  ['another status', 409, enveloped([one])],
  ['another member of a batch', 409, enveloped([{ ...command, path: 'commands[3].operation' }])],
  ['two commands of a batch', 404, enveloped([command, command])],
  ['a command of a batch that failed', 500, enveloped([command])],
  ['no member', 400, enveloped([])],
  ['too many members', 400, flat(Array.from({ length: 17 }, () => one))],
  ['no list', 400, flat({ ...one })],
  ['a path that is no plain word', 400, flat([{ ...one, path: 'a b' }])],
  ['no expectation', 400, flat([{ path: 'a', expected: ' ' }])],
  ['a value that was sent', 400, enveloped([{ path: 'a', expected: 'not secret-value-77' }])],
])('%s is a fault', (_name, status, body) => {
  expect(faultsOfMembers({ operationId, status, body, sent }, contract)).toHaveLength(1);
});

test('a key of another command names what differs, and a proposal what is absent', () => {
  const at = (path: string) => ({ path, expected: 'the same' });
  const faults = (operation: string, status: number, ...paths: string[]) =>
    faultsOfMembers(
      { operationId: operation, status, body: enveloped(paths.map(at)), sent },
      contract,
    );
  expect(faults('executeMemoryCommand', 409, 'operation.type', 'operation.record.tags')).toEqual(
    [],
  );
  expect(faults('executeMemoryCommand', 409, 'operation.type', 'scope')).toHaveLength(1);
  expect(faults('executeMemoryBatch', 409, 'commands[0].operation.name', 'commands')).toEqual([]);
  expect(faults('proposeMemory', 409, 'operation.expected_revision')).toEqual([]);
  expect(faults('claimConsumer', 409, 'scope')).toEqual([]);
  expect(faults('claimConsumer', 409, 'name')).toHaveLength(1);
  expect(faults('proposeProcedure', 404, 'proposal.policy_id')).toEqual([]);
  expect(faults('proposeProcedure', 409, 'proposal.policy_id')).toHaveLength(1);
});

test('only a batch has commands that are refused', () => {
  const refusal = { operationId: 'queryMemory', status: 409, body: enveloped([command]), sent };
  expect(faultsOfMembers(refusal, contract)).toHaveLength(1);
});
