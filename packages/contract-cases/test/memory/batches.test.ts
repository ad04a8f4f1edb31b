/** Batches of memory commands (docs/contract/memory.md#mem-91). */
import { describe, expect } from 'vitest';
import { membersNamed, outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, record, scope, sharedScope, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const create = { type: 'create', record: minimalRecord };
const otherScope = { ...scope, agent_id: 'z' };
const put = (name: string, expected_revision: number | null = null) => ({
  type: 'put',
  name,
  expected_revision,
  record: minimalRecord,
});
const many = (count: number) => Array.from({ length: count }, () => [scope, create] as const);

describe('a batch', () => {
  testCase('MEM-C64 executes its commands in their order, in several scopes', async (t) => {
    const agent = await t.agent();
    const commands = [
      [scope, create],
      [sharedScope, put('n')],
      [scope, create],
    ] as const;
    const { receipt } = result(await agent.batch(commands, 'k'));
    expect(receipt).toEqual({
      contract_version: 1,
      idempotency_key: 'k',
      outcomes: Array.from({ length: 3 }, () => ({
        record_id: expect.any(String) as unknown,
        revision: 1,
        action: 'created',
      })),
      committed_at_millis: t.clock.now(),
      author: { credential_id: agent.id, subject_id: 'alice' },
    });
    const [one, named_, two] = receipt.outcomes.map(({ record_id }) => record_id);
    expect(await agent.found(scope)).toEqual([one, two]);
    const shared = result(await agent.readNamed(sharedScope, 'n')).record;
    expect(shared).toMatchObject({ record_id: named_, modified_at_millis: t.clock.now() });
  });

  testCase('MEM-C65 shows each command the changes of those before it', async (t) => {
    const agent = await t.agent();
    const record_id = await agent.created(scope);
    const { receipt } = result(
      await agent.batch([
        [scope, put('n', 0)],
        [scope, put('n', 1)],
        [scope, { type: 'update', record_id, expected_revision: 1, record: minimalRecord }],
        [scope, { type: 'delete', record_id, expected_revision: 2 }],
        [scope, { type: 'remove', name: 'n', expected_revision: 2 }],
        [scope, put('n', 0)],
      ]),
    );
    expect(receipt.outcomes.map(({ action, revision }) => [action, revision])).toEqual([
      ['created', 1],
      ['updated', 2],
      ['updated', 2],
      ['deleted', 3],
      ['deleted', 3],
      ['created', 1],
    ]);
    const made = result(await agent.readNamed(scope, 'n')).record;
    expect(await agent.found(scope)).toEqual([made.record_id]);
  });

  testCase('MEM-C66 is repeated safely, and its key is bound to its commands', async (t) => {
    const agent = await t.agent();
    const commands = [
      [scope, put('n')],
      [sharedScope, create],
    ] as const;
    const { receipt } = result(await agent.batch(commands, 'k'));
    t.clock.advance(5);
    expect(result(await agent.batch(commands, 'k')).receipt).toEqual(receipt);
    const spelled = { ...put('n'), record: record({ tags: [], metadata: {} }) };
    const again = await agent.batch([[scope, spelled], commands[1]], 'k');
    expect(result(again).receipt).toEqual(receipt);
    for (const other of [
      commands.toReversed(),
      [...commands, commands[1]],
      [
        [sharedScope, put('n')],
        [sharedScope, create],
      ] as const,
    ]) {
      expect(outcome(await agent.batch(other, 'k'))).toBe(refused.otherCommand);
    }
    expect(await agent.found(sharedScope)).toHaveLength(1);
    expect(outcome(await agent.create(scope, minimalRecord, 'k'))).toBe('200');
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await bob.batch(many(1), 'k'))).toBe('200');
  });

  testCase('MEM-C67 leaves nothing when a command is refused, and names it', async (t) => {
    const agent = await t.agent();
    const [id] = [await agent.created(sharedScope)];
    const stale = { type: 'delete', record_id: id, expected_revision: 2 };
    const absent = { type: 'delete', record_id: unknownId, expected_revision: 1 };
    for (const [operation, code] of [
      [stale, refused.stale],
      [absent, refused.noRecord],
      [{ type: 'remove', name: 'absent' }, refused.noRecord],
    ] as const) {
      const answer = await agent.batch([...many(2), [sharedScope, operation]], 'k');
      expect(outcome(answer)).toBe(code);
      expect(membersNamed(answer)).toEqual(['commands[2]']);
      expect(await agent.found(scope)).toEqual([]);
    }
    expect(outcome(await agent.batch(many(3), 'k'))).toBe('200');
  });

  testCase('MEM-C68 has 1 to 256 commands', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.batch([]))).toBe(refused.invalid);
    expect(outcome(await agent.batch(many(257)))).toBe(refused.invalid);
    expect(result(await agent.batch(many(256))).receipt.outcomes).toHaveLength(256);
    expect(await agent.found(scope, { limit: 1_000 })).toHaveLength(256);
  });

  testCase('MEM-C69 is checked in order, and names what is refused', async (t) => {
    const agent = await t.agent();
    const commands = [
      [scope, create],
      [otherScope, put(' ')],
    ] as const;
    const broken = await agent.batch(commands);
    expect(outcome(broken)).toBe(refused.invalid);
    expect(membersNamed(broken)).toEqual(['commands[1].operation.name']);
    const foreign = await agent.batch([
      [scope, create],
      [otherScope, create],
    ]);
    expect(outcome(foreign)).toBe(refused.forbidden);
    expect(membersNamed(foreign)).toEqual(['commands[1].scope']);
    expect(outcome(await agent.batch(commands, '\n'))).toBe(refused.invalid);
    const reader = await t.agent({ capabilities: ['memory_read'] });
    const unable = await reader.batch(many(1));
    expect(outcome(unable)).toBe(refused.forbidden);
    expect(membersNamed(unable)).toEqual([]);
    expect(await agent.found(scope)).toEqual([]);
  });

  testCase('MEM-C70 of twelve equal ones at once, one takes effect', async (t) => {
    const agent = await t.agent();
    const batches = Array.from({ length: 12 }, () => agent.batch(many(3), 'k'));
    const receipts = (await Promise.all(batches)).map((answer) => result(answer).receipt);
    for (const receipt of receipts) expect(receipt).toEqual(receipts[0]);
    expect(await agent.found(scope)).toHaveLength(3);
  });

  testCase('MEM-C71 is repeated only with the authority of now', async (t) => {
    const agent = await t.agent();
    const { receipt } = result(await agent.batch(many(2), 'k'));
    const second = await t.agent();
    expect(result(await second.batch(many(2), 'k')).receipt).toEqual(receipt);
    result(await t.admin.rescope(second.id, 1, { grants: [sharedScope] }));
    expect(outcome(await second.batch(many(2), 'k'))).toBe(refused.forbidden);
    result(await t.admin.revoke(agent.id, 1));
    expect(outcome(await agent.batch(many(2), 'k'))).toBe(refused.unauthorized);
  });
});
