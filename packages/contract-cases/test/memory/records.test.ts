/** Members of a record, and the effect of commands (docs/contract/memory.md#mem-10). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import {
  minimalRecord,
  record,
  recordOf,
  scope,
  sharedScope,
  unknownId,
} from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const FLOAT_MAX = 3.4028234663852886e38;

describe('payload', () => {
  testCase('MEM-15, CON-109 omitted members are shown with their defaults', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    expect(result(await agent.read(scope, id)).record).toEqual({
      schema_version: 1,
      record_id: id,
      revision: 1,
      created_at_millis: t.clock.now(),
      modified_at_millis: t.clock.now(),
      author: { credential_id: agent.id, subject_id: 'alice' },
      payload: {
        episode_type: 'Observation',
        content: { primary: 'x', secondary: null, context: null, data: null, embedding: null },
        event_time_millis: 0,
        valid_until_millis: null,
        tags: [],
        metadata: {},
      },
    });
  });

  testCase('given members are returned unchanged', async (t) => {
    const agent = await t.agent();
    const full = {
      episode_type: { Custom: 'Ü \u0000 \u{1f600}' },
      content: {
        primary: '',
        secondary: 'b\n\t\u0007',
        context: '\u2028"\\',
        data: [null, true, 1.5, 'x', { '': [] }],
        embedding: [0, -1.5, 0.25, FLOAT_MAX, -FLOAT_MAX],
      },
      event_time_millis: -1,
      valid_until_millis: t.clock.now() + 1,
      tags: ['b', 'a', 'b', '', 'é', 'e\u0301'],
      metadata: { z: 1, a: { n: null }, '10': 'ten', '9': 'nine' },
    };
    const id = await agent.created(scope, full);
    const read = result(await agent.read(scope, id)).record;
    expect(read.payload).toEqual(full);
    expect(result(await agent.query(scope)).page.records).toEqual([read]);
  });

  testCase('types', async (t) => {
    const agent = await t.agent();
    const of = async (episode_type: unknown) =>
      outcome(await agent.create(scope, record({ episode_type })));
    const plain = ['Conversation', 'TaskExecution', 'Observation', 'Decision', 'Error'];
    for (const type of [...plain, { Custom: '' }, { Custom: 'Observation' }]) {
      expect(await of(type)).toBe('200');
    }
    const bad = [
      'error',
      'Custom',
      '',
      null,
      {},
      { custom: 'x' },
      { Custom: null },
      { Custom: 'x', Other: 'y' },
      { Observation: {} },
      ['Error'],
    ];
    for (const type of bad) expect(await of(type), JSON.stringify(type)).toBe(refused.invalid);
  });

  testCase('event and validity times have one range', async (t) => {
    const agent = await t.agent();
    const [first, last] = [-8_334_601_228_800_000, 8_210_266_876_799_999];
    const member = async (name: string, value: unknown) =>
      outcome(await agent.create(scope, record({ [name]: value })));
    for (const name of ['event_time_millis', 'valid_until_millis']) {
      for (const good of [first, -1, 0, last]) expect(await member(name, good)).toBe('200');
      for (const bad of [first - 1, last + 1, 2 ** 53, 0.5, '0', true]) {
        expect(await member(name, bad), `${name} ${bad}`).toBe(refused.invalid);
      }
    }
    expect(await member('event_time_millis', null)).toBe(refused.invalid);
    expect(await member('valid_until_millis', null)).toBe('200');
  });

  testCase('content and the other members are typed', async (t) => {
    const agent = await t.agent();
    const bad = [
      recordOf({ primary: null }),
      recordOf({ primary: 1 }),
      recordOf({ secondary: 1 }),
      recordOf({ context: [] }),
      recordOf({ embedding: {} }),
      recordOf({ embedding: ['1'] }),
      recordOf({ embedding: [null] }),
      recordOf({ tags: [] }),
      record({ content: {} }),
      record({ content: null }),
      record({ content: 'x' }),
      record({ tags: 'a' }),
      record({ tags: [1] }),
      record({ tags: [null] }),
      record({ metadata: [] }),
      record({ metadata: 'x' }),
      record({ record_id: unknownId }),
      record({ author: {} }),
      record({ revision: 1 }),
    ];
    for (const members of bad) {
      const answer = await agent.create(scope, members);
      expect(outcome(answer), JSON.stringify(members)).toBe(refused.invalid);
    }
    const { episode_type, content, event_time_millis } = minimalRecord;
    for (const partial of [
      { episode_type, event_time_millis },
      { episode_type: null, content },
      { content, event_time_millis: null },
    ]) {
      expect(outcome(await agent.create(scope, partial))).toBe(refused.invalid);
    }
    expect(await agent.found(scope)).toEqual([]);
  });

  testCase('MEM-C72 a record without type and time is an observation of its commit', async (t) => {
    const agent = await t.agent();
    const only = { content: { primary: 'x' } };
    const first = await agent.create(scope, only, 'k');
    t.clock.advance(1_000);
    expect(await agent.create(scope, only, 'k')).toEqual(first);
    expect(await agent.create(scope, { ...only, episode_type: 'Observation' }, 'k')).toEqual(first);
    const { record_id, committed_at_millis } = result(first).receipt;
    const { payload } = result(await agent.read(scope, record_id)).record;
    expect(payload.episode_type).toBe('Observation');
    expect(payload.event_time_millis).toBe(committed_at_millis);
    const said = await agent.create(
      scope,
      { ...only, event_time_millis: committed_at_millis },
      'k',
    );
    expect(outcome(said)).toBe(refused.otherCommand);
  });

  testCase('MEM-13 embeddings are 32-bit floats', async (t) => {
    const agent = await t.agent();
    const given = [0.1, 1 / 3, 1e-45, 1e-50, -0, 16_777_217, FLOAT_MAX];
    const id = await agent.created(scope, recordOf({ embedding: given }));
    const { embedding } = result(await agent.read(scope, id)).record.payload.content;
    // JSON cannot represent negative zero reliably.
    const rounded = (number: number) => Math.fround(number) + 0;
    expect(embedding?.map(rounded)).toEqual(given.map(rounded));
    for (const empty of [[], null]) {
      const other = await agent.created(scope, recordOf({ embedding: empty }));
      const { payload } = result(await agent.read(scope, other)).record;
      expect(payload.content.embedding).toEqual(empty);
    }
    for (const over of [FLOAT_MAX * (1 + Number.EPSILON), -3.41e38, 1e300]) {
      const answer = await agent.create(scope, recordOf({ embedding: [0, over] }));
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  testCase('MEM-14 only the body limits tags and texts', async (t) => {
    const agent = await t.agent();
    const tags = Array.from({ length: 5_000 }, (_, index) => `t${index}`);
    const long = { primary: 'p'.repeat(20_000), secondary: '\ud7ff'.repeat(1_000) };
    const id = await agent.created(scope, { ...recordOf(long), tags });
    const { payload } = result(await agent.read(scope, id)).record;
    expect(payload.tags).toEqual(tags);
    expect(payload.content).toMatchObject(long);
  });
});

describe('commands', () => {
  testCase(
    'MEM-19, MEM-23, MEM-24, CON-152 receipts are closed and describe the commit',
    async (t) => {
      const agent = await t.agent();
      const author = { credential_id: agent.id, subject_id: 'alice' };
      const created = result(await agent.create(scope, minimalRecord, 'k1'));
      const { record_id } = created.receipt;
      const common = { contract_version: 1, record_id, author };
      expect(created).toEqual({
        contract_version: 1,
        receipt: {
          ...common,
          idempotency_key: 'k1',
          revision: 1,
          action: 'created',
          committed_at_millis: t.clock.now(),
        },
      });
      t.clock.advance(7);
      const updated = result(
        await agent.update(scope, [record_id, 1], minimalRecord, 'k2'),
      ).receipt;
      expect(updated).toEqual({
        ...common,
        idempotency_key: 'k2',
        revision: 2,
        action: 'updated',
        committed_at_millis: t.clock.now(),
      });
      const { record: read } = result(await agent.read(scope, record_id));
      expect(read.modified_at_millis).toBe(updated.committed_at_millis);
      expect(read.created_at_millis).toBe(created.receipt.committed_at_millis);
      t.clock.advance(7);
      expect(result(await agent.delete(scope, [record_id, 2], 'k3')).receipt).toEqual({
        ...common,
        idempotency_key: 'k3',
        revision: 3,
        action: 'deleted',
        committed_at_millis: t.clock.now(),
      });
    },
  );

  testCase('MEM-52 an update replaces the payload and the author', async (t) => {
    const alice = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const id = await alice.created(sharedScope, {
      ...recordOf({ secondary: 's', context: 'c', data: 1, embedding: [1] }),
      valid_until_millis: t.clock.now() + 1,
      tags: ['a'],
      metadata: { a: 1 },
    });
    result(await bob.update(sharedScope, [id, 1], minimalRecord));
    const { record: after } = result(await alice.read(sharedScope, id));
    expect(after.author).toEqual({ credential_id: bob.id, subject_id: 'bob' });
    expect(after.payload).toEqual({
      episode_type: 'Observation',
      content: { primary: 'x', secondary: null, context: null, data: null, embedding: null },
      event_time_millis: 0,
      valid_until_millis: null,
      tags: [],
      metadata: {},
    });
  });

  testCase('an operation accepts only its own members', async (t) => {
    const agent = await t.agent();
    const record_id = await agent.created(scope);
    const update = { type: 'update', record_id, expected_revision: 1, record: minimalRecord };
    const bad = [
      { ...update, type: 'create' },
      { ...update, type: 'delete' },
      { type: 'create', record: minimalRecord, expected_revision: 0 },
      { type: 'update', record_id, expected_revision: 1 },
      { type: 'update', record_id, record: minimalRecord },
      { type: 'update', expected_revision: 1, record: minimalRecord },
      { type: 'delete', record_id },
      { type: 'create' },
      { type: 'derive', record: minimalRecord },
      { type: 'Create', record: minimalRecord },
      { type: null, record: minimalRecord },
      { record: minimalRecord },
      'create',
    ];
    for (const operation of bad) {
      const answer = await agent.command(scope, operation);
      expect(outcome(answer), JSON.stringify(operation)).toBe(refused.invalid);
    }
    for (const revision of [-1, 1.5, '1', null, 2 ** 53]) {
      expect(outcome(await agent.delete(scope, [record_id, revision]))).toBe(refused.invalid);
    }
  });

  testCase('MEM-22 revision 0 and the greatest never match', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    for (const revision of [0, 2, 2 ** 53 - 1]) {
      expect(outcome(await agent.update(scope, [id, revision]))).toBe(refused.stale);
      expect(outcome(await agent.delete(scope, [id, revision]))).toBe(refused.stale);
      expect(outcome(await agent.update(scope, [unknownId, revision]))).toBe(refused.noRecord);
      expect(outcome(await agent.delete(scope, [unknownId, revision]))).toBe(refused.noRecord);
    }
  });

  testCase('MEM-54 a tombstone cannot be revived', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    result(await agent.delete(scope, [id, 1]));
    for (const [revision, expected] of [
      [1, refused.stale],
      [2, refused.noRecord],
      [3, refused.stale],
    ] as const) {
      expect(outcome(await agent.update(scope, [id, revision]))).toBe(expected);
      expect(outcome(await agent.delete(scope, [id, revision]))).toBe(expected);
    }
  });

  testCase('the end of validity is exclusive, and expired records can be changed', async (t) => {
    const agent = await t.agent();
    const until = (ms: number) => record({ valid_until_millis: t.clock.now() + ms });
    const id = await agent.created(scope, until(2));
    t.clock.advance(1);
    expect(outcome(await agent.read(scope, id))).toBe('200');
    expect(await agent.found(scope)).toEqual([id]);
    t.clock.advance(1);
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    expect(await agent.found(scope)).toEqual([]);
    expect(outcome(await agent.update(scope, [id, 2], until(1)))).toBe(refused.stale);
    expect(outcome(await agent.update(scope, [id, 1], until(1)))).toBe('200');
    expect(await agent.found(scope)).toEqual([id]);
    t.clock.advance(1);
    expect(result(await agent.delete(scope, [id, 2])).receipt.revision).toBe(3);
  });
});
