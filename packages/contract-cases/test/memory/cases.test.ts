/** Cases of memory commands and reads (docs/contract/memory.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, missionScope, record, recordOf, scope } from '../harness/documents.js';
import { ungranted, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const EARLIEST = -8_334_601_228_800_000;
const LATEST = 8_210_266_876_799_999;

describe('replays', () => {
  testCase('MEM-C29 repeating a create returns the same receipt', async (t) => {
    const agent = await t.agent();
    const first = await agent.create(scope, minimalRecord, 'k');
    expect(outcome(first)).toBe('200');
    expect(result(first).receipt).toMatchObject({ action: 'created', revision: 1 });
    const again = await agent.create(scope, minimalRecord, 'k');
    expect(again).toEqual(first);
    expect(await agent.found(scope)).toHaveLength(1);
  });

  testCase('MEM-C30 another text conflicts, another JSON spelling does not', async (t) => {
    const agent = await t.agent();
    const first = await agent.create(scope, minimalRecord, 'k');
    const other = await agent.create(scope, recordOf({ primary: 'y' }), 'k');
    expect(outcome(other)).toBe(refused.otherCommand);
    const spelled = {
      metadata: {},
      tags: [],
      valid_until_millis: null,
      event_time_millis: 0,
      content: { embedding: null, data: null, context: null, secondary: null, primary: 'x' },
      episode_type: 'Observation',
    };
    const missionless = { mission_id: null, ...scope };
    expect(await agent.create(missionless, spelled, 'k')).toEqual(first);
  });

  testCase('MEM-C31 a failed command does not use up its key', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    const failing = [
      [refused.invalid, () => agent.create(scope, record({ event_time_millis: LATEST + 1 }), 'k1')],
      [refused.noRecord, () => agent.delete(scope, [unknownId, 1], 'k2')],
      [refused.stale, () => agent.delete(scope, [id, 2], 'k3')],
    ] as const;
    for (const [expected, fail] of failing) expect(outcome(await fail())).toBe(expected);
    for (const key of ['k1', 'k2', 'k3']) {
      expect(outcome(await agent.create(scope, minimalRecord, key))).toBe('200');
    }
  });

  testCase('MEM-C32 another credential of the subject replays the first receipt', async (t) => {
    const first = await t.agent();
    const second = await t.agent();
    const made = await first.create(scope, minimalRecord, 'k');
    const replayed = await second.create(scope, minimalRecord, 'k');
    expect(replayed).toEqual(made);
    expect(result(replayed).receipt.author.credential_id).toBe(first.id);
  });

  testCase('MEM-C33 a key can be used again in another mission', async (t) => {
    const agent = await t.agent();
    const one = result(await agent.create(scope, minimalRecord, 'k')).receipt;
    const other = result(await agent.create(missionScope, minimalRecord, 'k')).receipt;
    expect(other.record_id).not.toBe(one.record_id);
  });

  testCase('MEM-C34 a replay needs authority at that moment', async (t) => {
    const agent = await t.agent();
    const replay = (caller = agent) => caller.create(scope, minimalRecord, 'k');
    const made = await replay();
    result(await t.admin.rescope(agent.id, 1, { grants: [] }));
    expect(outcome(await replay())).toBe(refused.forbidden);
    result(await t.admin.rescope(agent.id, 2, { grants: [scope] }));
    const { secret } = result(await t.admin.rotate(agent.id, 3));
    expect(outcome(await replay())).toBe(refused.unauthorized);
    expect(await replay(agent.with(secret))).toEqual(made);
    result(await t.admin.revoke(agent.id, 4));
    expect(outcome(await replay(agent.with(secret)))).toBe(refused.unauthorized);
  });
});

describe('update and delete', () => {
  testCase('CON-83 MEM-C35 a stale revision conflicts, an unknown id is not found', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    expect(result(await agent.update(scope, [id, 1])).receipt.revision).toBe(2);
    expect(outcome(await agent.update(scope, [id, 1]))).toBe(refused.stale);
    expect(outcome(await agent.update(scope, [unknownId, 1]))).toBe(refused.noRecord);
  });

  testCase('MEM-C36 a deleted record is gone but still examined', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(scope);
    result(await agent.update(scope, [id, 1]));
    const { receipt } = result(await agent.delete(scope, [id, 2]));
    expect(receipt).toMatchObject({ action: 'deleted', revision: 3, record_id: id });
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    const { page } = result(await agent.query(scope));
    expect(page).toEqual({ records: [], next_after: null, scanned_records: 1 });
  });

  testCase('MEM-C37 a replayed create does not recreate the record', async (t) => {
    const agent = await t.agent();
    const made = await agent.create(scope, minimalRecord, 'k');
    const id = result(made).receipt.record_id;
    result(await agent.delete(scope, [id, 1]));
    expect(await agent.create(scope, minimalRecord, 'k')).toEqual(made);
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
  });

  testCase('MEM-C38 a record created expired is revived by an update', async (t) => {
    const agent = await t.agent();
    const expired = record({ valid_until_millis: t.clock.now() - 1 });
    const id = await agent.created(scope, expired);
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    const later = record({ valid_until_millis: t.clock.now() + 1 });
    result(await agent.update(scope, [id, 1], later));
    expect(outcome(await agent.read(scope, id))).toBe('200');
  });
});

describe('bounds', () => {
  testCase('MEM-C39 limits of event times are inclusive', async (t) => {
    const agent = await t.agent();
    const at = (event_time_millis: number) => agent.create(scope, record({ event_time_millis }));
    for (const inside of [EARLIEST, LATEST]) expect(outcome(await at(inside))).toBe('200');
    for (const outside of [EARLIEST - 1, LATEST + 1]) {
      expect(outcome(await at(outside))).toBe(refused.invalid);
    }
  });

  testCase('MEM-C40 types are exact', async (t) => {
    const agent = await t.agent();
    const of = (episode_type: unknown) => agent.create(scope, record({ episode_type }));
    expect(outcome(await of('observation'))).toBe(refused.invalid);
    expect(outcome(await of({ Custom: 1 }))).toBe(refused.invalid);
    expect(outcome(await of({ Custom: '' }))).toBe('200');
  });

  testCase('MEM-C41 unknown members and operations are refused', async (t) => {
    const agent = await t.agent();
    const inContent = recordOf({ score: 1 });
    expect(outcome(await agent.create(scope, inContent))).toBe(refused.invalid);
    const create = { type: 'create', record: minimalRecord };
    const withId = { ...create, record_id: unknownId };
    expect(outcome(await agent.command(scope, withId))).toBe(refused.invalid);
    const unknown = { ...create, type: 'derive' };
    expect(outcome(await agent.command(scope, unknown))).toBe(refused.invalid);
  });

  testCase('MEM-C42 a key follows the text rule, checked after the grant', async (t) => {
    const agent = await t.agent();
    for (const key of ['', '  ', 'k'.repeat(257), 'k\n']) {
      expect(outcome(await agent.create(scope, minimalRecord, key))).toBe(refused.invalid);
    }
    expect(outcome(await agent.create(ungranted, minimalRecord, ' '))).toBe(refused.forbidden);
  });
});

describe('scopes', () => {
  testCase("MEM-C43 a mission's grant does not cover the project, nor the reverse", async (t) => {
    const onMission = await t.agent({ grants: [missionScope] });
    const missionless = await t.agent({ grants: [scope] });
    expect(outcome(await onMission.create(scope))).toBe(refused.forbidden);
    expect(outcome(await onMission.create(missionScope))).toBe('200');
    expect(outcome(await missionless.create(missionScope))).toBe(refused.forbidden);
    expect(outcome(await missionless.create(scope))).toBe('200');
  });

  testCase('MEM-C44 tenant and subject are no members of a scope', async (t) => {
    const agent = await t.agent();
    for (const stray of [{ tenant_id: 'acme' }, { subject_id: 'alice' }]) {
      const answer = await agent.create({ ...scope, ...stray });
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  testCase('MEM-C45 a private record is visible to its subject only', async (t) => {
    const alice = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const id = await alice.created(scope);
    expect(outcome(await bob.read(scope, id))).toBe(refused.noRecord);
    expect(outcome(await (await t.agent()).read(scope, id))).toBe('200');
  });

  testCase('MEM-C46 a malformed id reveals nothing about scopes without a grant', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.read(scope, 'not-an-id'))).toBe(refused.invalid);
    expect(outcome(await agent.read(ungranted, 'not-an-id'))).toBe(refused.forbidden);
  });
});
