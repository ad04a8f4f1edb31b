/** What a refusal says about a key of another command (docs/contract/memory.md#mem-102). */
import { describe, expect } from 'vitest';
import { type Answer, membersNamed, outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, record, recordOf, scope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

/** Returns the members that a refusal of a used key names, below `operation.`. */
function differing(answer: Answer): string[] {
  expect(outcome(answer)).toBe(refused.otherCommand);
  return membersNamed(answer).map((path) => path.replace(/^operation\./, ''));
}

/** A retention that sets nothing. */
const noRetention = {
  revisions_max: null,
  revision_days: null,
  deleted_days: null,
  lifetime_seconds: null,
  expired_days: null,
};

const create = (members: object) => ({ type: 'create', record: members });
const put = (name: string, members: object, expected_revision?: number) => ({
  type: 'put',
  name,
  ...(expected_revision === undefined ? {} : { expected_revision }),
  record: members,
});

const otherMembers: readonly (readonly [string[], Record<string, unknown>])[] = [
  [['record.episode_type'], record({ episode_type: { Custom: 'Observation' } })],
  [['record.content.primary'], recordOf({ primary: 'X' })],
  [['record.content.secondary'], recordOf({ secondary: '' })],
  [['record.content.context'], recordOf({ context: 'c' })],
  [['record.content.data'], recordOf({ data: { deep: [1] } })],
  [['record.content.embedding'], recordOf({ embedding: [1] })],
  [['record.event_time_millis'], record({ event_time_millis: 1 })],
  [['record.event_time_millis'], { content: { primary: 'x' } }],
  [['record.valid_until_millis'], record({ valid_until_millis: 9e14 })],
  [['record.tags'], record({ tags: ['t'] })],
  [['record.metadata'], record({ metadata: { a: null } })],
  [
    ['record.content.primary', 'record.event_time_millis', 'record.metadata'],
    { content: { primary: '' }, event_time_millis: -1, metadata: { constructor: 1 } },
  ],
];

describe('the refusal of a used key', () => {
  testCase('MEM-C73 names each member that differs, and no value', async (t) => {
    const agent = await t.agent();
    await agent.create(scope, minimalRecord, 'k');
    for (const [names, other] of otherMembers) {
      expect(differing(await agent.create(scope, other, 'k'))).toEqual(names);
    }
    const timed = record({ event_time_millis: 5 });
    expect(differing(await agent.command(scope, put('n', timed), 'k'))).toEqual(['type']);
    const rest = { type: 'delete', record_id: unknownId, expected_revision: 1 };
    expect(differing(await agent.command(scope, rest, 'k'))).toEqual(['type']);
  });

  testCase('MEM-C73 names the target of a change', async (t) => {
    const agent = await t.agent();
    const record_id = await agent.created(scope);
    const update = { type: 'update', record_id, expected_revision: 1, record: minimalRecord };
    await agent.command(scope, update, 'k');
    const other = { ...update, record_id: unknownId, expected_revision: 7 };
    expect(differing(await agent.command(scope, other, 'k'))).toEqual([
      'record_id',
      'expected_revision',
    ]);
    await agent.command(scope, put('n', minimalRecord), 'p');
    const renamed = put('m', recordOf({ primary: 'y' }), 3);
    expect(differing(await agent.command(scope, renamed, 'p'))).toEqual([
      'name',
      'expected_revision',
      'record.content.primary',
    ]);
    expect(differing(await agent.command(scope, put('n', minimalRecord, 0), 'p'))).toEqual([]);
    const redact = { type: 'redact', record_id, revision: 1 };
    await agent.command(scope, redact, 'r');
    const current = { ...redact, revision: 2 };
    expect(differing(await agent.command(scope, current, 'r'))).toEqual(['revision']);
  });

  testCase('MEM-C73 tells as much as the kept revisions do', async (t) => {
    const agent = await t.agent();
    const record_id = await agent.created(scope, minimalRecord);
    const first = { type: 'update', record_id, expected_revision: 1, record: minimalRecord };
    await agent.command(scope, first, 'k');
    const other = { ...first, record: recordOf({ primary: 'y' }) };
    const conflict = async () => differing(await agent.command(scope, other, 'k'));
    expect(await conflict()).toEqual(['record.content.primary']);
    await agent.command(scope, { ...first, expected_revision: 2 }, 'later');
    expect(await conflict()).toEqual(['record.content.primary']);
    await agent.redact(scope, record_id, 2, 'redact');
    expect(await conflict()).toEqual([]);
    await agent.delete(scope, [record_id, 3], 'delete');
    expect(await conflict()).toEqual([]);
  });

  testCase('MEM-C73 leaves out a default end and a time that may be the default', async (t) => {
    const agent = await t.agent();
    await t.admin.setRetention({ ...noRetention, lifetime_seconds: 60 });
    const untimed = { content: { primary: 'x' } };
    await agent.create(scope, untimed, 'k');
    const now = t.clock.now();
    t.clock.advance(1);
    const { receipt } = result(await agent.create(scope, untimed, 'k'));
    expect(receipt.committed_at_millis).toBe(now);
    const other = { content: { primary: 'y' } };
    expect(differing(await agent.create(scope, other, 'k'))).toEqual(['record.content.primary']);
    const said = { ...untimed, event_time_millis: now };
    expect(differing(await agent.create(scope, said, 'k'))).toEqual([]);
    const ended = { ...untimed, valid_until_millis: now + 1 };
    expect(differing(await agent.create(scope, ended, 'k'))).toEqual(['record.valid_until_millis']);
  });

  testCase('MEM-C74 names the commands of a batch', async (t) => {
    const agent = await t.agent();
    const texts = (...all: string[]) =>
      all.map((primary) => [scope, create(recordOf({ primary }))] as const);
    await agent.batch(texts('a', 'b', 'c'), 'k');
    const named = async (...all: string[]) => differing(await agent.batch(texts(...all), 'k'));
    expect(await named('A', 'b', 'C')).toEqual([
      'commands[0].operation.record.content.primary',
      'commands[2].operation.record.content.primary',
    ]);
    expect(await named('a', 'b', 'c', 'd')).toEqual(['commands']);
    const many = Array.from({ length: 20 }, () => 'a');
    await agent.batch(texts(...many), 'many');
    const all = differing(await agent.batch(texts(...many.map(() => 'b')), 'many'));
    expect(all).toHaveLength(16);
  });
});
