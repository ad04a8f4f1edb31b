/** Which commands are the same, and what a replay does (docs/contract/memory.md#mem-36). */
import { openKeep } from '@agentkeep/core';
import { storeOver } from '@agentkeep/core/testing';
import { testStore } from '@agentkeep/testkit/test-store';
import { bootstrapTenant } from '@agentkeep/core/operator';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { Caller } from '../harness/caller.js';
import {
  minimalRecord,
  minimalSpec,
  missionScope,
  record,
  recordOf,
} from '../harness/documents.js';
import { scope, sharedScope, spec } from '../harness/documents.js';
import { drivers } from '../harness/drivers.js';
import { testCase, tenant } from '../harness/fixture.js';
import { overHttp } from '../harness/http-fixture.js';
import { damage, entriesMadeBy } from '../harness/stored-entries.js';

const full = {
  episode_type: { Custom: 'c' },
  content: {
    primary: 'é',
    secondary: 's',
    context: 'c',
    data: { a: [1, 2], b: {} },
    embedding: [0.1],
  },
  event_time_millis: 5,
  valid_until_millis: 6,
  tags: ['a', 'b', 'b'],
  metadata: { x: { y: [1] }, z: null },
};

const reversed = {
  metadata: { z: null, x: { y: [1] } },
  tags: ['a', 'b', 'b'],
  valid_until_millis: 6,
  event_time_millis: 5,
  content: {
    embedding: [Math.fround(0.1)],
    data: { b: {}, a: [1, 2] },
    context: 'c',
    secondary: 's',
    primary: 'é',
  },
  episode_type: { Custom: 'c' },
};

const sameAsMinimal: readonly (readonly [string, unknown])[] = [
  ['tags []', record({ tags: [] })],
  ['metadata {}', record({ metadata: {} })],
  ['valid_until null', record({ valid_until_millis: null })],
  ['secondary null', recordOf({ secondary: null })],
  ['context null', recordOf({ context: null })],
  ['data null', recordOf({ data: null })],
  ['embedding null', recordOf({ embedding: null })],
];

const otherThanFull: readonly (readonly [string, Record<string, unknown>])[] = [
  ['tag order', { tags: ['b', 'a', 'b'] }],
  ['tag repeated', { tags: ['a', 'b'] }],
  ['tag case', { tags: ['A', 'b', 'b'] }],
  ['tag space', { tags: ['a ', 'b', 'b'] }],
  ['type', { episode_type: { Custom: 'C' } }],
  ['plain type', { episode_type: 'Error' }],
  ['event time', { event_time_millis: 6 }],
  ['validity', { valid_until_millis: 7 }],
  ['no validity', { valid_until_millis: null }],
  ['metadata null member', { metadata: { x: { y: [1] }, z: null, n: null } }],
  ['metadata member left out', { metadata: { x: { y: [1] } } }],
  ['metadata array order', { metadata: { x: { y: [1, 1] }, z: null } }],
  ['metadata empty object', { metadata: { x: { y: [1] }, z: {} } }],
  ['metadata type', { metadata: { x: { y: ['1'] }, z: null } }],
  ...(
    [
      ['Unicode form', { primary: 'e\u0301' }],
      ['text case', { primary: 'É' }],
      ['text space', { primary: 'é ' }],
      ['empty secondary', { secondary: '' }],
      ['no secondary', { secondary: null }],
      ['texts swapped', { secondary: 'c', context: 's' }],
      ['data array order', { data: { a: [2, 1], b: {} } }],
      ['data null member', { data: { a: [1, 2], b: null } }],
      ['data member left out', { data: { a: [1, 2] } }],
      ['embedding', { embedding: [0.2] }],
      ['embedding left out', { embedding: null }],
      ['embedding empty', { embedding: [] }],
    ] as const
  ).map(([name, content]) => [name, { content: { ...full.content, ...content } }] as const),
];

describe('the same command', () => {
  testCase('MEM-36, CON-109 defaults may be spelled out', async (t) => {
    const agent = await t.agent();
    const first = await agent.create(scope, minimalRecord, 'k');
    for (const [name, same] of sameAsMinimal) {
      expect(await agent.create(scope, same, 'k'), name).toEqual(first);
    }
    expect(await agent.create({ ...scope, mission_id: null }, minimalRecord, 'k')).toEqual(first);
    expect(await agent.found(scope)).toHaveLength(1);
  });

  testCase('MEM-41, MEM-36 order of members and spelling of floats do not matter', async (t) => {
    const agent = await t.agent();
    const first = await agent.create(scope, full, 'k');
    expect(await agent.create(scope, reversed, 'k')).toEqual(first);
    const rounded = { ...full, content: { ...full.content, embedding: [0.100000001] } };
    expect(await agent.create(scope, rounded, 'k')).toEqual(first);
  });

  overHttp('MEM-42 white space, escapes and forms of numbers do not matter', async (http) => {
    const agent = await http.fixture.agent();
    const asAgent = { Authorization: `Bearer ${agent.token}` };
    const command = { type: 'create', record: full };
    const first = await agent.command(scope, command, 'k');
    const text = JSON.stringify(
      { contract_version: 1, idempotency_key: 'k', scope, operation: command },
      null,
      2,
    );
    const spelled = text
      .replace('"é"', '"\\u00E9"')
      .replace('"k"', '"\\u006b"')
      .replace('"project_id"', '"project\\u005fid"')
      .replace('"event_time_millis": 5', '"event_time_millis": 0.5e1')
      .replace('"contract_version": 1', '"contract_version": 1.0')
      .replace('"y": [\n          1\n', '"y": [1.0\n');
    expect(spelled).not.toBe(text);
    const reply = await http.post('/api/v1/memory/commands', spelled, asAgent);
    expect(outcome(reply)).toBe('200');
    expect(reply.body).toEqual(first.body);
  });

  testCase('MEM-40, CON-139 the letter case of an id does not matter', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const updated = await agent.update(scope, [id, 1], minimalRecord, 'k1');
    expect(await agent.update(scope, [id.toUpperCase(), 1], minimalRecord, 'k1')).toEqual(updated);
    const deleted = await agent.delete(scope, [id.toUpperCase(), 2], 'k2');
    expect(await agent.delete(scope, [id, 2], 'k2')).toEqual(deleted);
  });

  testCase('MEM-43, MEM-44, MEM-36, CON-84 any other difference is another command', async (t) => {
    const agent = await t.agent();
    const first = await agent.create(scope, full, 'k');
    for (const [name, members] of otherThanFull) {
      const answer = await agent.create(scope, { ...full, ...members }, 'k');
      expect(outcome(answer), name).toBe(refused.otherCommand);
    }
    expect(await agent.create(scope, full, 'k')).toEqual(first);
    const id = result(first).receipt.record_id;
    const other = await agent.created(scope);
    expect(outcome(await agent.delete(scope, [id, 1], 'k'))).toBe(refused.otherCommand);
    result(await agent.update(scope, [id, 1], full, 'u'));
    expect(outcome(await agent.update(scope, [id, 2], full, 'u'))).toBe(refused.otherCommand);
    expect(outcome(await agent.update(scope, [other, 1], full, 'u'))).toBe(refused.otherCommand);
    expect(outcome(await agent.delete(scope, [id, 1], 'u'))).toBe(refused.otherCommand);
    expect(outcome(await agent.create(scope, full, 'u'))).toBe(refused.otherCommand);
  });

  testCase(
    'MEM-46, MEM-47 subjects of a shared scope and other scopes have their own keys',
    async (t) => {
      const alice = await t.agent();
      const bob = await t.agent({ subject_id: 'bob' });
      const ids = [
        result(await alice.create(sharedScope, minimalRecord, 'k')).receipt.record_id,
        result(await bob.create(sharedScope, full, 'k')).receipt.record_id,
        result(await alice.create(scope, full, 'k')).receipt.record_id,
        result(await alice.create(missionScope, full, 'k')).receipt.record_id,
      ];
      expect(new Set(ids).size).toBe(4);
    },
  );
});

describe('replays', () => {
  testCase('a replay of update and delete changes nothing', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const updated = await agent.update(scope, [id, 1], recordOf({ primary: 'one' }), 'k1');
    result(await agent.update(scope, [id, 2], recordOf({ primary: 'two' })));
    t.clock.advance(5);
    expect(await agent.update(scope, [id, 1], recordOf({ primary: 'one' }), 'k1')).toEqual(updated);
    const { record: now } = result(await agent.read(scope, id));
    expect([now.revision, now.payload.content.primary]).toEqual([3, 'two']);
    const deleted = await agent.delete(scope, [id, 3], 'k2');
    expect(await agent.delete(scope, [id, 3], 'k2')).toEqual(deleted);
    expect(await agent.update(scope, [id, 1], recordOf({ primary: 'one' }), 'k1')).toEqual(updated);
  });

  testCase('the author in a receipt is the one who committed it', async (t) => {
    const first = await t.agent();
    const made = await first.create(scope, minimalRecord, 'k');
    result(await t.admin.revoke(first.id, 1));
    const second = await t.agent();
    expect(await second.create(scope, minimalRecord, 'k')).toEqual(made);
    expect(result(made).receipt.author.credential_id).toBe(first.id);
  });

  testCase('concurrent different commands of one key have one winner', async (t) => {
    const agent = await t.agent();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((primary) => agent.create(scope, recordOf({ primary }), 'k')),
    );
    const outcomes = answers.map(outcome).sort();
    expect(outcomes).toEqual(['200', ...Array<string>(3).fill(refused.otherCommand)]);
    expect(await agent.found(scope)).toHaveLength(1);
  });

  testCase('concurrent deletes and updates of one revision have one winner', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const target = [id, 1] as const;
    const answers = await Promise.all([
      agent.update(scope, target),
      agent.delete(scope, target),
      agent.update(scope, target),
    ]);
    expect(answers.map(outcome).sort()).toEqual(['200', refused.stale, refused.stale]);
  });

  testCase('a receipt that does not verify is not replayed', async (t) => {
    const agent = await t.agent();
    const entries = await entriesMadeBy(t.store, () => agent.create(scope, minimalRecord, 'k'));
    const receipt = entries.find(({ subspace }) => subspace === 'memoryReceipts')!;
    for (const at of ['version', 'content'] as const) {
      const repair = await damage(t.store, receipt.key, at);
      const answer = await agent.create(scope, minimalRecord, 'k');
      expect(outcome(answer)).toBe(refused.inconsistent);
      await repair();
    }
    expect(await agent.found(scope)).toHaveLength(1);
  });

  for (const driver of drivers) {
    test(`MEM-50, CON-51 receipts and dead secrets survive a restart (${driver.name})`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'agentkeep-'));
      const dataDir = join(folder, 'data');
      const grants = [scope];
      const capabilities = ['memory_write'];
      try {
        const keep = await openKeep({ dataDir });
        const made = await bootstrapTenant(keep, { tenantId: 'acme', subjectId: 'ops' });
        const admin = new Caller(driver.open(keep), made.secret, made.credential);
        const agent = await admin.appoint(spec({ capabilities, grants }));
        const receipt = await agent.create(scope, minimalRecord, 'k');
        const rotated = await admin.appoint(minimalSpec);
        result(await admin.rotate(rotated.id, 1));
        await keep.close();

        await using reopened = await openKeep({ dataDir });
        const transport = driver.open(reopened);
        const again = new Caller(transport, agent.token, agent.credential);
        expect(await again.create(scope, minimalRecord, 'k')).toEqual(receipt);
        const old = new Caller(transport, rotated.token, rotated.credential);
        expect(outcome(await old.whoAmI())).toBe(refused.unauthorized);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
});

test.each(drivers)('MEM-34 a commit that fails leaves nothing behind ($name)', async (driver) => {
  const below = testStore();
  let isFailing = false;
  const store = storeOver(below, {
    transact: (body) =>
      below.transact((tx) => {
        const made = body(tx);
        if (isFailing) throw new Error('the disk is full');
        return made;
      }),
  });
  await using t = await tenant(driver, store);
  const agent = await t.agent();
  const create = () => agent.create(scope, minimalRecord, 'once');
  isFailing = true;
  const left = await entriesMadeBy(below, async () => {
    expect(outcome(await create())).toMatch(/^50/);
  });
  expect(left).toEqual([]);
  isFailing = false;
  const made = await entriesMadeBy(below, create);
  expect(made.map(({ subspace }) => subspace)).toContain('memoryRecords');
  expect(await entriesMadeBy(below, create)).toEqual([]);
});
