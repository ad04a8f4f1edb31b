/** Attributes of memory operations follow the conventions and hold no content. */
import { expect, test } from 'vitest';
import { attributesOfAnswer, attributesOfSent, attributesOfStart } from './memory-attributes.js';

const ID = '0190c2f0-0000-7000-8000-000000000000';
const record = { type: 'Decision', content: { primary: 'secret plan' }, tags: ['private'] };

test('a search is known from the start, and its count from the answer', () => {
  for (const operation of ['queryMemory', 'searchMemory']) {
    expect(attributesOfStart(operation)).toMatchObject({
      'gen_ai.operation.name': 'search_memory',
    });
  }
  const count = { 'gen_ai.memory.record.count': 2 };
  expect(attributesOfAnswer('queryMemory', { page: { records: [record, record] } })).toEqual(count);
  expect(attributesOfAnswer('searchMemory', { page: { matches: [{}, {}] } })).toEqual(count);
  expect(attributesOfAnswer('queryMemory', 'text')).toEqual({});
});

test.each([
  ['create', 'create_memory'],
  ['update', 'update_memory'],
  ['restore', 'update_memory'],
  ['put', 'upsert_memory'],
  ['delete', 'delete_memory'],
  ['remove', 'delete_memory'],
  ['redact', 'delete_memory'],
])('a command of the type %s is %s', (type, name) => {
  const operation = { type, record_id: ID, name: 'diary', record };
  const attributes = attributesOfSent('executeMemoryCommand', { operation });
  expect(attributes).toEqual({
    'gen_ai.operation.name': name,
    'gen_ai.provider.name': 'agentkeep',
    'gen_ai.memory.record.count': 1,
    'gen_ai.memory.record.id': ID,
  });
});

test('a batch counts its commands, and has their name if all are of one kind', () => {
  const command = (type: string) => ({ operation: { type, record_id: ID } });
  const sent = (...types: string[]) =>
    attributesOfSent('executeMemoryBatch', { commands: types.map(command) });
  expect(sent('create', 'create')).toMatchObject({
    'gen_ai.operation.name': 'create_memory',
    'gen_ai.memory.record.count': 2,
  });
  expect(sent('create', 'delete')).toMatchObject({ 'gen_ai.operation.name': 'upsert_memory' });
  expect(sent('create', 'create')).not.toHaveProperty('gen_ai.memory.record.id');
});

test.each([null, 7, 'x', [], {}, { operation: 7 }, { operation: { type: {}, record_id: 'x y' } }])(
  'an invalid document (%j) gives no text of the caller',
  (document) => {
    const attributes = attributesOfSent('executeMemoryCommand', document);
    expect(attributes).toEqual({
      'gen_ai.operation.name': 'upsert_memory',
      'gen_ai.provider.name': 'agentkeep',
      'gen_ai.memory.record.count': 1,
    });
  },
);

test('other operations have none', () => {
  expect(attributesOfStart('listUsers')).toEqual({});
  expect(attributesOfSent('listUsers', { operation: { type: 'create' } })).toEqual({});
  expect(attributesOfAnswer('listUsers', { page: { records: [1] } })).toEqual({});
});
