/** Embedding spaces (docs/contract/search.md#sea-58). */
import { describe, expect } from 'vitest';
import { type Answer, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { record, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { named, pagesOf, stored } from './search-fixture.js';

const plain = (primary: string, embedding: readonly number[] | null = null) =>
  record({ content: { primary, embedding } });

/** Attaches embeddings to first revisions, in a space or in the default of the scope. */
function attach(
  agent: Caller,
  space: string | null,
  all: readonly (readonly [string, number[]])[],
) {
  const embeddings = all.map(([record_id, values]) => ({ record_id, revision: 1, values }));
  const document = { contract_version: 1, scope, space, embeddings };
  return agent.call('attachEmbeddings', { document });
}

const attached = (answer: Answer<'attachEmbeddings'>) =>
  result(answer).outcomes.map(({ is_attached }) => is_attached);

const spaces = (agent: Caller, at = scope) =>
  agent.call('listEmbeddingSpaces', { parameters: { contract_version: 1, ...at } });
const use = (agent: Caller, space: string) =>
  agent.call('useEmbeddingSpace', { document: { contract_version: 1, scope, space } });
const drop = (agent: Caller, space: string) =>
  agent.call('dropEmbeddingSpace', { document: { contract_version: 1, scope, space } });

const nearest = (values: number[]) => ({ order: 'nearest', vector: { values } });

describe('embedding spaces', () => {
  testCase('SEA-C35 keep the embeddings of several models apart', async (t) => {
    const agent = await t.agent({ grants: [scope, sharedScope] });
    const [own = '', other = '', none = ''] = await stored(agent, [
      plain('own', [1, 0]),
      plain('other'),
      plain('none'),
    ]);
    expect(result(await spaces(agent))).toEqual({
      contract_version: 1,
      default_space: 'default',
      spaces: [{ space: 'default', dimension: null, is_dropping: false }],
    });
    expect(attached(await attach(agent, null, [[other, [0, 1]]]))).toEqual([true]);
    const made = await attach(agent, 'b', [
      [own, [0, 0, 1]],
      [other, [1, 0, 0]],
    ]);
    expect(attached(made)).toEqual([true, true]);
    expect(attached(await attach(agent, 'default', [[own, [0, 1]]]))).toEqual([false]);

    const find = (members: Members) => pagesOf(agent, [scope], members);
    expect(await find(nearest([1, 0]))).toEqual([[own, other]]);
    expect(await find({ ...nearest([1, 0, 0]), space: 'b' })).toEqual([[other, own]]);
    expect(await find({ ...nearest([1, 0, 0]), space: 'b', limit: 1 })).toEqual([
      [other],
      [own],
      [],
    ]);
    expect(await find({ ...nearest([1]), space: 'constructor' })).toEqual([[]]);
    const lacking = { filter: { embedded: false }, order: 'oldest' };
    expect(await find({ ...lacking, space: 'b' })).toEqual([[none]]);
    expect(await find({ ...lacking, space: 'c' })).toEqual([[own, other, none]]);

    expect(result(await use(agent, 'b'))).toEqual({
      contract_version: 1,
      default_space: 'b',
      spaces: [
        { space: 'b', dimension: 3, is_dropping: false },
        { space: 'default', dimension: null, is_dropping: false },
      ],
    });
    expect(result(await spaces(agent)).default_space).toBe('b');
    expect(await find(nearest([1, 0, 0]))).toEqual([[other, own]]);
    expect(await find({ ...nearest([1, 0]), space: 'default' })).toEqual([[own, other]]);
    expect(attached(await attach(agent, null, [[none, [0, 1, 0]]]))).toEqual([true]);
    expect(await find(lacking)).toEqual([[]]);

    const both = await agent.search([scope, sharedScope], nearest([1, 0, 0]));
    expect([outcome(both), named(both)]).toEqual([refused.invalid, ['space']]);
    const words = await agent.search([scope, sharedScope], { filter: { words: { text: 'own' } } });
    expect(result(words).page.matches).toHaveLength(1);
  });

  testCase('SEA-C36 refuse what does not fit', async (t) => {
    const agent = await t.agent({ grants: [scope] });
    const [one = '', two = ''] = await stored(agent, [plain('one'), plain('two')]);
    for (const space of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      expect(attached(await attach(agent, space, [[one, [1, 2]]]))).toEqual([true]);
    }
    const refusals: readonly (readonly [Answer, string])[] = [
      [await attach(agent, 'h', [[one, [1, 2]]]), 'space'],
      [
        await attach(agent, 'a', [
          [one, [3, 4]],
          [two, [1]],
        ]),
        'embeddings[1].values',
      ],
      [await use(agent, 'h'), 'space'],
      [await drop(agent, 'default'), 'space'],
      [await attach(agent, ' ', [[one, [1, 2]]]), 'space'],
      [await attach(agent, 'x'.repeat(65), [[one, [1, 2]]]), 'space'],
    ];
    for (const [answer, path] of refusals) {
      expect([outcome(answer), named(answer)]).toEqual([refused.invalid, [path]]);
    }
    const { page } = result(await agent.search([scope], { ...nearest([1, 2]), space: 'a' }));
    expect(page.matches.map(({ distance }) => distance)).toEqual([expect.closeTo(0)]);
  });

  testCase('SEA-C37 go with all of their embeddings', async (t) => {
    const agent = await t.agent({ grants: [scope] });
    const [one = '', two = ''] = await stored(agent, [plain('one'), plain('two', [1, 0])]);
    await attach(agent, 'b', [
      [one, [1, 0]],
      [two, [1, 0]],
    ]);
    await attach(agent, 'default', [[one, [1, 0]]]);
    result(await agent.update(scope, [two, 1], plain('changed')));
    const dropped = result(await drop(agent, 'b'));
    expect([dropped.scanned_records, dropped.spaces.map(({ space }) => space)]).toEqual([
      2,
      ['default'],
    ]);
    const inB = { ...nearest([1, 0]), space: 'b' };
    expect(await pagesOf(agent, [scope], inB)).toEqual([[]]);
    // A space of the same name, with another dimension.
    await attach(agent, 'b', [[one, [0, 1, 0]]]);
    result(await agent.restore(scope, two, 1, 2));
    expect(await pagesOf(agent, [scope], { ...nearest([0, 1, 0]), space: 'b' })).toEqual([[one]]);
    expect(await pagesOf(agent, [scope], nearest([1, 0]))).toEqual([[two, one]]);

    result(await use(agent, 'b'));
    expect(result(await drop(agent, 'default')).spaces).toHaveLength(2);
    const inDefault = { ...nearest([1, 0]), space: 'default' };
    expect(await pagesOf(agent, [scope], inDefault)).toEqual([[two]]);
    expect(result(await drop(agent, 'unknown')).scanned_records).toBe(2);
  });
});
