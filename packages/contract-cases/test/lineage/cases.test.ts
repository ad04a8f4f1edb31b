/** Where records come from, and what was derived from them (docs/contract/lineage.md#lin-1). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { type Caller, freshKey, type Members } from '../harness/caller.js';
import { record, scope, sharedScope, ungranted, unknownId } from '../harness/documents.js';
import { finished, ofSubject, start } from '../erasure/erasure-kit.js';
import { exported, imported, ofTenant } from '../exports/export-fixture.js';
import { testCase, type Fixture, tenant } from '../harness/fixture.js';

type Source = readonly [id: string, revision: number, scope?: Members];

const sourceOf = ([record_id, revision, of]: Source) => ({
  record_id,
  revision,
  ...(of === undefined ? {} : { scope: of }),
});
const derived = (...from: Source[]) => record({ derived_from: from.map(sourceOf) });

/** Creates a record that was derived from others; returns its id. */
const made = (agent: Caller, from: readonly Source[], of: Members = scope): Promise<string> =>
  agent.created(of, from.length === 0 ? record({}) : derived(...from));

/** Goes on with a trace to its end; returns what it found as `id revision outcome`. */
async function traced(
  agent: Caller,
  [id, revision]: Source,
  { of = scope, limit = 25 }: { readonly of?: Members; readonly limit?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  for (;;) {
    const document: Members = { contract_version: 1, scope: of, revision, limit, cursor };
    const { page } = result(await agent.call('traceMemoryDependents', { id, document }));
    found.push(
      ...page.dependents.map((each) => `${each.record_id} ${each.revision} ${each.outcome}`),
    );
    if (page.state === 'finished' && page.next_cursor === null) return found.toSorted();
    cursor = page.next_cursor;
  }
}

const read = async (agent: Caller, id: string, of: Members = scope) =>
  outcome(await agent.read(of, id));

async function erased(
  agent: Caller,
  [record_id, revision]: Source,
  dependents: unknown,
  type: 'delete' | 'redact' = 'delete',
): Promise<Source> {
  const at = type === 'delete' ? { expected_revision: revision } : { revision };
  const { receipt } = result(await agent.command(scope, { type, record_id, ...at, dependents }));
  return [receipt.record_id, receipt.revision];
}

describe('what a record states', () => {
  // LIN-5, LIN-19, MEM-104
  testCase('LIN-C1 is shown as stated, and is of its revision', async (t) => {
    const agent = await t.agent();
    const source = await made(agent, []);
    const derived_from = [{ scope: null, record_id: source, revision: 1 }];
    const stated: Members[] = [
      { source: 'model', derived_from },
      { source: 'import' },
      { derived_from },
      {},
    ];
    for (const members of stated) {
      const id = await agent.created(scope, record(members));
      const { payload } = result(await agent.read(scope, id)).record;
      const shown = { source: payload.source, derived_from: payload.derived_from };
      expect(JSON.parse(JSON.stringify(shown))).toEqual(members);
      result(await agent.update(scope, [id, 1]));
      expect(result(await agent.read(scope, id)).record.payload).not.toHaveProperty('source');
      const restore = { type: 'restore', record_id: id, revision: 1, expected_revision: 2 };
      result(await agent.command(scope, restore));
      const { items } = result(await agent.revisions(scope, id)).page;
      expect(items.map((each) => each.payload?.source)).toEqual([
        members.source,
        undefined,
        members.source,
      ]);
    }
  });

  testCase('LIN-C2 is refused when it is malformed', async (t) => {
    const agent = await t.agent();
    const ids = await Promise.all(Array.from({ length: 33 }, () => made(agent, [])));
    const create = async (members: Members) => outcome(await agent.create(scope, record(members)));
    const from = (count: number) =>
      ids.slice(0, count).map((record_id) => ({ record_id, revision: 1 }));
    expect(await create({ source: 'dream' })).toBe(refused.invalid);
    expect(await create({ source: null })).toBe(refused.invalid);
    expect(await create({ derived_from: null })).toBe(refused.invalid);
    expect(await create({ derived_from: [] })).toBe(refused.invalid);
    expect(await create({ derived_from: from(32) })).toBe('200');
    expect(await create({ derived_from: from(33) })).toBe(refused.invalid);
    expect(await create({ derived_from: [...from(1), ...from(1)] })).toBe(refused.invalid);
    const [first = {}] = from(1);
    expect(await create({ derived_from: [{ ...first, revision: 0 }] })).toBe(refused.invalid);
  });

  testCase('LIN-C3 must be what the writer may read at that moment', async (t) => {
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const gone = await made(agent, []);
    result(await agent.delete(scope, [gone, 1]));
    const own = await made(agent, []);
    const create = (from: Source, of: Members = scope) => agent.create(of, derived(from));
    const refusals = [
      await create([unknownId, 1]),
      await create([own, 2]),
      await create([gone, 1]),
      await bob.create(scope, derived([own, 1])),
    ];
    for (const answer of refusals) {
      expect(outcome(answer)).toBe('404 record_not_found');
      expect(answer.body).toMatchObject({
        error: { members: [{ path: 'operation.record.derived_from[0]' }] },
      });
    }
    expect(outcome(await create([own, 1, ungranted]))).toBe('403 forbidden');
    const writer = await t.agent({ capabilities: ['memory_write'] });
    expect(outcome(await writer.create(scope, derived([own, 1])))).toBe('403 forbidden');
    const key = freshKey();
    const first = result(await agent.create(sharedScope, derived([own, 1, scope]), key));
    result(await agent.delete(scope, [own, 1]));
    const again = result(await agent.create(sharedScope, derived([own, 1, scope]), key));
    expect(again).toEqual(first);
  });

  testCase('LIN-C4 may be what an earlier command of the batch made', async (t) => {
    const agent = await t.agent();
    const id = await made(agent, []);
    const update = { type: 'update', record_id: id, expected_revision: 1, record: record({}) };
    const create = { type: 'create', record: derived([id, 2]) };
    result(
      await agent.batch([
        [scope, update],
        [scope, create],
      ]),
    );
    const missing = await agent.batch([[scope, { type: 'create', record: derived([id, 3]) }]]);
    expect(outcome(missing)).toBe('404 record_not_found');
    expect(missing.body).toMatchObject({
      error: { members: [{ path: 'commands[0].operation.record.derived_from[0]' }] },
    });
    const ids = await Promise.all(Array.from({ length: 32 }, () => made(agent, [])));
    const wide = { type: 'create', record: derived(...ids.map((each): Source => [each, 1])) };
    const commands = Array.from({ length: 8 }, () => [scope, wide] as const);
    result(await agent.batch(commands));
    expect(outcome(await agent.batch([...commands, [scope, create]]))).toBe(refused.invalid);
  });
});

testCase('LIN-C5 query and search filter by source and by what was derived', async (t) => {
  const agent = await t.agent();
  const first = await agent.created(scope, record({ source: 'user' }));
  result(await agent.update(scope, [first, 1], record({ source: 'tool' })));
  const one = await made(agent, [[first, 1]]);
  const two = await made(agent, [[first, 2]]);
  const query = async (filter: Members) =>
    result(await agent.query(scope, filter)).page.records.map(({ record_id }) => record_id);
  const search = async (filter: Members) => {
    const document = { contract_version: 1, scopes: [scope], filter, order: 'oldest' };
    const { page } = result(await agent.call('searchMemory', { document }));
    return page.matches.map((each) => each.record.record_id);
  };
  expect(await query({ source: 'tool' })).toEqual([first]);
  expect(await query({ source: 'user' })).toEqual([]);
  expect(await search({ sources: ['user', 'tool'] })).toEqual([first]);
  for (const found of [query, search]) {
    expect(await found({ derived_from: { record_id: first } })).toEqual([one, two]);
    expect(await found({ derived_from: { record_id: first, revision: 2 } })).toEqual([two]);
    expect(await found({ derived_from: { record_id: one } })).toEqual([]);
  }
});

testCase('LIN-C6 a record says which of its sources were taken away', async (t) => {
  const agent = await t.agent();
  result(
    await t.admin.call('setMemoryRetention', {
      document: { contract_version: 1, expected_revision: 0, retention: { deleted_days: 1 } },
    }),
  );
  const redacted = await made(agent, []);
  result(await agent.update(scope, [redacted, 1]));
  const deleted = await made(agent, []);
  const id = await made(agent, [
    [redacted, 1],
    [deleted, 1],
    [redacted, 2],
  ]);
  const cursor = result(await agent.changes({ after: 'latest' })).page.next_after;
  const filter = { derived_from: { record_id: deleted } };
  const lost = async () => {
    const { record: shown } = result(await agent.read(scope, id));
    for (const as_of of [null, { cursor }]) {
      const { records } = result(await agent.query(scope, filter, { as_of })).page;
      const found = result(await agent.search([scope], { filter, as_of })).page.matches;
      expect([records, found.map(({ record }) => record)]).toEqual([[shown], [shown]]);
    }
    const old = result(await agent.readAt(scope, id, { revision: 1 })).record;
    const then = result(await agent.readAt(scope, id, { as_of_cursor: cursor })).record;
    expect([old, then]).toEqual([shown, shown]);
    return shown.lost_sources?.map((each) => [each.record_id, each.revision, each.reason]);
  };
  expect(await lost()).toBeUndefined();
  result(await agent.command(scope, { type: 'redact', record_id: redacted, revision: 1 }));
  expect(await lost()).toEqual([[redacted, 1, 'redacted']]);
  result(await agent.delete(scope, [deleted, 1]));
  expect(await lost()).toEqual([
    [redacted, 1, 'redacted'],
    [deleted, 1, 'deleted'],
  ]);
  const restore = { type: 'restore', record_id: deleted, revision: 1, expected_revision: 2 };
  result(await agent.command(scope, restore));
  expect(await lost()).toEqual([[redacted, 1, 'redacted']]);
});

/** A record, two that were derived from it, one from both, and one from that. */
async function family(agent: Caller) {
  const root = await made(agent, []);
  const left = await made(agent, [[root, 1]]);
  const right = await made(agent, [[root, 1, scope]], sharedScope);
  const both = await made(agent, [
    [left, 1],
    [right, 1, sharedScope],
    [root, 1],
  ]);
  const last = await made(agent, [[both, 1]]);
  return { root, left, right, both, last };
}

describe('dependents', () => {
  // LIN-12
  testCase('LIN-C7 are reported through any depth, each once', async (t) => {
    const agent = await t.agent();
    const { root, left, right, both, last } = await family(agent);
    const trace = await erased(agent, [root, 1], 'report');
    const found = [left, right, both, last].map((id) => `${id} 1 found`).toSorted();
    expect(await traced(agent, trace)).toEqual(found);
    expect(await traced(agent, trace)).toEqual(found);
    expect([await read(agent, left), await read(agent, last)]).toEqual(['200', '200']);
  });

  testCase('LIN-C8 are deleted, and redacted where they are old', async (t) => {
    const agent = await t.agent();
    const { root, left, right, both, last } = await family(agent);
    result(await agent.update(scope, [last, 1]));
    const since = result(
      await agent.call('listMemoryChanges', {
        parameters: { contract_version: 1, after: 'latest' },
      }),
    );
    const trace = await erased(agent, [root, 1], 'cascade');
    const gone = [left, right, both].map((id) => `${id} 1 deleted`);
    const old = `${last} 1 redacted`;
    expect(await traced(agent, trace)).toEqual([...gone, old].toSorted());
    expect(await traced(agent, trace)).toEqual([...gone, old].toSorted());
    expect([await read(agent, left), await read(agent, right, sharedScope)]).toEqual([
      '404 record_not_found',
      '404 record_not_found',
    ]);
    const { items } = result(await agent.revisions(scope, last)).page;
    expect(items.map(({ payload, redacted }) => [payload === null, redacted === null])).toEqual([
      [false, true],
      [true, false],
    ]);
    const parameters = { contract_version: 1, after: since.page.next_after };
    const { changes } = result(await agent.call('listMemoryChanges', { parameters })).page;
    expect(changes.map(({ record_id, action }) => `${record_id} ${action}`).toSorted()).toEqual(
      [...[root, left, right, both].map((id) => `${id} deleted`), `${last} redacted`].toSorted(),
    );
  });

  testCase('LIN-C9 a report is followed by a cascade, which leaves no content', async (t) => {
    const agent = await t.agent();
    result(
      await t.admin.call('setMemoryRetention', {
        document: { contract_version: 1, expected_revision: 0, retention: { deleted_days: 1 } },
      }),
    );
    const root = await made(agent, []);
    result(await agent.update(scope, [root, 1]));
    const child = await made(agent, [[root, 1]]);
    const other = await made(agent, [[root, 2]]);
    expect(await traced(agent, await erased(agent, [root, 1], 'report', 'redact'))).toEqual([
      `${child} 1 found`,
    ]);
    const trace = await erased(agent, [root, 1], 'cascade', 'redact');
    expect(await traced(agent, trace)).toEqual([`${child} 1 deleted`]);
    const restore = { type: 'restore', record_id: child, revision: 1, expected_revision: 2 };
    expect(outcome(await agent.command(scope, restore))).toBe('404 record_not_found');
    expect(await read(agent, other)).toBe('200');
  });

  testCase('LIN-C10 are touched and named as far as the caller may', async (t) => {
    const writer = await t.agent();
    const agent = await t.agent({ grants: [scope] });
    const { root, left, right, both } = await family(writer);
    const hidden = await made(writer, [[right, 1]], sharedScope);
    const behind = await made(writer, [[right, 1, sharedScope]]);
    const trace = await erased(agent, [root, 1], 'cascade');
    expect(await traced(agent, trace)).not.toContain(`${right} 1 left`);
    expect(await read(writer, left)).toBe('404 record_not_found');
    expect(await read(writer, both)).toBe('404 record_not_found');
    expect(await read(writer, right, sharedScope)).toBe('200');
    expect(await read(writer, hidden, sharedScope)).toBe('200');
    expect(await read(writer, behind)).toBe('200');
    expect(await traced(writer, trace)).toContain(`${right} 1 left`);
  });

  testCase('LIN-C11 are refused without a trace, a right or a sound cursor', async (t) => {
    const agent = await t.agent();
    const reader = await t.agent({ capabilities: ['memory_read'] });
    const id = await made(agent, []);
    const { receipt } = result(await agent.delete(scope, [id, 1]));
    const ask = async (caller: Caller, members: Members, of: string = id) => {
      const document = { contract_version: 1, scope, revision: receipt.revision, ...members };
      return outcome(await caller.call('traceMemoryDependents', { id: of, document }));
    };
    expect(await ask(agent, {})).toBe('404 record_not_found');
    expect(await ask(agent, {}, unknownId)).toBe('404 record_not_found');
    expect(await ask(agent, { cursor: 'x' })).toBe(refused.invalid);
    expect(await ask(agent, { scope: ungranted })).toBe('403 forbidden');
    expect(await ask(reader, {})).toBe('403 forbidden');
    expect(await ask(agent, { limit: 101 })).toBe(refused.invalid);
  });

  testCase('LIN-C12 are shown in pages', async (t: Fixture) => {
    const agent = await t.agent();
    const root = await made(agent, []);
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(await made(agent, [[root, 1]]));
    const trace = await erased(agent, [root, 1], 'cascade');
    expect(await traced(agent, trace)).toEqual(ids.map((id) => `${id} 1 deleted`).toSorted());
  });

  testCase('LIN-C13 are a part of the fingerprint', async (t) => {
    const agent = await t.agent();
    const record_id = await made(agent, []);
    const operation = { type: 'delete', record_id, expected_revision: 1 };
    result(await agent.command(scope, { ...operation, dependents: 'report' }, 'one key'));
    result(await agent.command(scope, { ...operation, dependents: 'report' }, 'one key'));
    for (const other of [{ dependents: 'cascade' }, {}]) {
      const answer = await agent.command(scope, { ...operation, ...other }, 'one key');
      expect(outcome(answer)).toBe('409 idempotency_conflict');
    }
  });
});

describe('what was derived from what is erased', () => {
  const lost = async (agent: Caller, id: string, of: Members) =>
    result(await agent.read(of, id)).record.lost_sources?.map((each) => [
      each.record_id,
      each.reason,
    ]);

  // LIN-8, LIN-9, ERA-6
  testCase('LIN-C14 shows the lost source to each caller, in each kind of read', async (t) => {
    const alice = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const source = await made(alice, []);
    const other = await made(bob, [], sharedScope);
    const from: Source[] = [
      [source, 1, scope],
      [other, 1, sharedScope],
    ];
    const id = await made(alice, from, sharedScope);
    result(await bob.update(sharedScope, [id, 1], record({})));
    const again = await made(alice, from, sharedScope);
    const { erasure } = result(await start(t.admin, ofSubject('alice')));
    expect(await finished(t, erasure.id)).toMatchObject({ dependents: 2 });
    expect(await lost(bob, again, sharedScope)).toEqual([[source, 'erased']]);
    expect(await lost(bob, id, sharedScope)).toBeUndefined();
    const { page } = result(await bob.query(sharedScope));
    const queried = page.records.find(({ record_id }) => record_id === again);
    expect(queried?.lost_sources).toHaveLength(1);
    const { items } = result(await bob.revisions(sharedScope, id)).page;
    expect(items.at(-1)).toMatchObject({ revision: 1 });
    const restore = { type: 'restore', record_id: id, revision: 1, expected_revision: 2 };
    result(await bob.command(sharedScope, restore));
    expect(await lost(bob, id, sharedScope)).toEqual([[source, 'erased']]);
    result(await bob.delete(sharedScope, [other, 1]));
    expect(await lost(bob, id, sharedScope)).toEqual([
      [source, 'erased'],
      [other, 'deleted'],
    ]);
    const text = await exported(t.admin, ofTenant, { with_history: true });
    await using elsewhere = await tenant(t.driver);
    expect(await imported(elsewhere.admin, text)).toMatchObject({ refused: 0 });
    const reader = await elsewhere.agent({ subject_id: 'bob' });
    expect(await lost(reader, again, sharedScope)).toEqual([
      [source, 'erased'],
      [other, 'deleted'],
    ]);
  });
});
