/** The forms of the memory API that go with the next version do what the present ones do. */
import { type Agent, openKeep, type RecordInput, type ScopeInput } from '@agentkeep/core';
import { agentFor } from '@agentkeep/core/operator';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';

const scope: ScopeInput = { project_id: 'p', agent_id: 'a', visibility: 'shared' };
const other: ScopeInput = { ...scope, agent_id: 'b' };
const record = (primary: string): RecordInput => ({
  episode_type: 'Observation',
  content: { primary },
  event_time_millis: 0,
  tags: ['drink'],
});

async function withAgent(work: (agent: Agent) => Promise<void>): Promise<void> {
  const embed = (texts: readonly string[]) => Promise.resolve(texts.map(() => [1, 2]));
  await using keep = await openKeep({ store: testStore(), embed });
  const program = { tenantId: 'acme', subjectId: 'helper', scopes: [scope, other] };
  await work(await agentFor(keep, program));
}

async function itemsOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of items) found.push(each);
  return found;
}

test('commands take the scope as their first argument', () =>
  withAgent(async ({ memory }) => {
    const current = memory.in(scope);
    const { record_id: recordId } = await memory.create(scope, record('one'));
    await memory.update(scope, { recordId, expectedRevision: 1 }, record('two'));
    await memory.restore(scope, { recordId, revision: 1, expectedRevision: 2 });
    await memory.redact(scope, { recordId, revision: 2 });
    expect((await current.read(recordId)).payload.content.primary).toBe('one');
    await memory.delete(scope, { recordId, expectedRevision: 3 });
    await expect(current.read(recordId)).rejects.toMatchObject({ code: 'record_not_found' });
    const key = { idempotencyKey: 'many' };
    const many = await itemsOf(memory.createMany(scope, [record('1'), record('2')], key));
    expect(many.flatMap(({ outcomes }) => outcomes)).toHaveLength(2);
  }));

test('get() reads and remove() deletes the record of a name', () =>
  withAgent(async ({ memory }) => {
    const current = memory.in(scope);
    await memory.put(scope, 'n', record('one'), { expectedRevision: 0 });
    const stored = await current.read({ name: 'n' });
    expect(stored?.revision).toBe(1);
    expect([await memory.get(scope, 'n'), await current.get('n')]).toEqual([stored, stored]);
    const stale = { expectedRevision: 7 };
    for (const removal of [memory.remove(scope, 'n', stale), current.remove('n', stale)]) {
      await expect(removal).rejects.toMatchObject({ code: 'revision_conflict' });
    }
    const options = { expectedRevision: 1, idempotencyKey: 'gone' };
    const receipt = await memory.remove(scope, 'n', options);
    expect(await current.remove('n', options)).toEqual(receipt);
    expect(await current.get('n')).toBeUndefined();
  }));

test('reads take the scope as their first argument', () =>
  withAgent(async ({ memory }) => {
    const current = memory.in(scope);
    const { record_id: id } = await current.put('n', record('one'));
    expect(await memory.read(scope, id, { revision: 1 })).toEqual(await current.read(id));
    expect(await itemsOf(memory.history(scope, id))).toEqual(await itemsOf(current.history(id)));
    expect(await memory.historyPage(scope, id)).toEqual(await current.historyPage(id));
    const changes = await memory.changesPage({ scope });
    expect(changes).toMatchObject({ changes: [{ record_id: id }] });
  }));

test('queries take filter and options in one object', () =>
  withAgent(async ({ memory }) => {
    const current = memory.in(scope);
    for (const text of ['one', 'two', 'three']) await current.create(record(text));
    const filter = { text_contains: 'T', episode_type: 'Observation', tags: ['drink'] } as const;
    const wanted = await itemsOf(current.query({ ...filter, tags: ['drink'] }));
    const old = { textContains: 'T', episodeType: 'Observation', tags: ['drink'] } as const;
    const query = { ...old, tags: ['drink'], limit: 1, scanLimit: 10_000 };
    expect(wanted).toHaveLength(2);
    expect(await itemsOf(memory.query(scope, query))).toEqual(wanted);
    expect(await itemsOf(current.query(query))).toEqual(wanted);
    expect((await memory.queryPage(scope, query)).records).toEqual(wanted.slice(0, 1));
    const after = wanted[0]?.record_id ?? '';
    expect((await current.queryPage({ ...query, after })).records).toEqual(wanted.slice(1));
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(memory.queryPage(scope, { signal })).rejects.toThrow('enough');
  }));

test('searches take one scope or several as their first argument', () =>
  withAgent(async ({ memory }) => {
    const current = memory.in(scope);
    const scopes = [scope, other];
    await current.create(record('one'));
    await memory.in(other).create(record('two'));
    const options = { order: 'oldest', limit: 1 } as const;
    const filter = { text_contains: 'O' };
    const one = await itemsOf(current.search(filter, options));
    const both = await itemsOf(memory.search(filter, { ...options, scopes }));
    expect([one.length, both.length]).toEqual([1, 2]);
    expect(await itemsOf(memory.search(scope, filter, options))).toEqual(one);
    expect(await itemsOf(memory.search(scopes, filter, options))).toEqual(both);
    expect((await memory.searchPage(scopes, filter, options)).matches).toEqual(both.slice(0, 1));
    expect(await memory.count(scopes, filter, { by: ['tag'] })).toMatchObject({
      matches: 2,
      tags: [{ tag: 'drink', matches: 2 }],
    });
    expect(await memory.count(scope)).toMatchObject({ matches: 1 });
    await memory.embedded();
    expect([await memory.embedMissing(scope), await memory.embedMissing(scopes)]).toEqual([0, 0]);
  }));
