/** Records by name (docs/contract/memory.md#mem-81). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { minimalRecord, record, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';

const named = (primary: string): unknown => record({ content: { primary } });

describe('put', () => {
  testCase('MEM-C54 creates the record of a name, then replaces it', async (t) => {
    const agent = await t.agent();
    const first = result(await agent.put(scope, 'user/ann', { record: named('one') })).receipt;
    expect(first).toMatchObject({ action: 'created', revision: 1 });
    const second = result(await agent.put(scope, 'user/ann', { record: named('two') })).receipt;
    const { record_id } = first;
    expect(second).toMatchObject({ action: 'updated', revision: 2, record_id });
    const found = result(await agent.readNamed(scope, 'user/ann')).record;
    expect(found).toMatchObject({ record_id, name: 'user/ann', revision: 2 });
    expect(found.payload.content.primary).toBe('two');
    expect(result(await agent.read(scope, record_id)).record).toEqual(found);
    expect(result(await agent.query(scope)).page.records).toEqual([found]);
  });

  testCase('MEM-C55 keeps to the expected revision', async (t) => {
    const agent = await t.agent();
    const put = async (expected_revision: unknown) =>
      outcome(await agent.put(scope, 'n', { expected_revision }));
    expect(await put(1)).toBe(refused.noRecord);
    expect(await put(0)).toBe('200');
    expect(await put(0)).toBe(refused.stale);
    expect(await put(2)).toBe(refused.stale);
    expect(await put(1)).toBe('200');
    expect(await put(null)).toBe('200');
    expect(await put(-1)).toBe(refused.invalid);
    expect(result(await agent.readNamed(scope, 'n')).record.revision).toBe(3);
  });

  testCase('MEM-C56 is repeated safely, and its key is bound to name and revision', async (t) => {
    const agent = await t.agent();
    const first = result(await agent.put(scope, 'n', {}, 'k')).receipt;
    expect(result(await agent.put(scope, 'n', {}, 'k')).receipt).toEqual(first);
    expect(outcome(await agent.put(scope, 'm', {}, 'k'))).toBe(refused.otherCommand);
    const conflict = await agent.put(scope, 'n', { expected_revision: 1 }, 'k');
    expect(outcome(conflict)).toBe(refused.otherCommand);
    expect(outcome(await agent.create(scope, minimalRecord, 'k'))).toBe(refused.otherCommand);
  });

  testCase('MEM-C57 twelve at once make one record', async (t) => {
    const agent = await t.agent();
    const puts = Array.from({ length: 12 }, () => agent.put(scope, 'n'));
    const receipts = (await Promise.all(puts)).map((answer) => result(answer).receipt);
    expect(new Set(receipts.map(({ record_id }) => record_id)).size).toBe(1);
    const revisions = receipts.map(({ revision }) => revision).toSorted((a, b) => a - b);
    expect(revisions).toEqual(Array.from({ length: 12 }, (_, index) => index + 1));
    expect(await agent.found(scope)).toHaveLength(1);
  });

  testCase('MEM-C58 names', async (t) => {
    const agent = await t.agent();
    const put = async (name: unknown) => outcome(await agent.put(scope, name));
    for (const name of ['n', 'ä'.repeat(256), 'a b', '\u{1f600}', '/x/../y', '..']) {
      expect(await put(name)).toBe('200');
      expect(result(await agent.readNamed(scope, name)).record.name).toBe(name);
    }
    for (const name of ['', ' ', 'a\nb', 'a'.repeat(513), 'ä'.repeat(257), null, 1]) {
      expect(await put(name)).toBe(refused.invalid);
    }
    expect(outcome(await agent.readNamed(scope, 'a'.repeat(513)))).toBe(refused.invalid);
    expect(outcome(await agent.readNamed(scope, 'N'))).toBe(refused.noRecord);
  });
});

describe('the name of a record', () => {
  testCase('MEM-C59 stays with an update by id, and is freed by a delete', async (t) => {
    const agent = await t.agent();
    const { record_id } = result(await agent.put(scope, 'n')).receipt;
    expect(outcome(await agent.update(scope, [record_id, 1], named('by id')))).toBe('200');
    expect(result(await agent.readNamed(scope, 'n')).record.revision).toBe(2);
    expect(outcome(await agent.delete(scope, [record_id, 2]))).toBe('200');
    expect(outcome(await agent.readNamed(scope, 'n'))).toBe(refused.noRecord);
    const next = result(await agent.put(scope, 'n', { expected_revision: 0 })).receipt;
    expect(next).toMatchObject({ action: 'created', revision: 1 });
    expect(next.record_id).not.toBe(record_id);
  });

  testCase('MEM-C60 is freed by remove', async (t) => {
    const agent = await t.agent();
    expect(outcome(await agent.remove(scope, 'n'))).toBe(refused.noRecord);
    const { record_id } = result(await agent.put(scope, 'n')).receipt;
    expect(outcome(await agent.remove(scope, 'n', 2))).toBe(refused.stale);
    const removed = result(await agent.remove(scope, 'n', 1)).receipt;
    expect(removed).toMatchObject({ action: 'deleted', revision: 2, record_id });
    expect(outcome(await agent.read(scope, record_id))).toBe(refused.noRecord);
    expect(outcome(await agent.remove(scope, 'n'))).toBe(refused.noRecord);
  });

  testCase('MEM-C61 is of its scope only, and absent elsewhere', async (t) => {
    const agent = await t.agent();
    const own = result(await agent.put(scope, 'n')).receipt;
    const shared = result(await agent.put(sharedScope, 'n')).receipt;
    expect(shared.record_id).not.toBe(own.record_id);
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await bob.readNamed(scope, 'n'))).toBe(refused.noRecord);
    expect(result(await bob.readNamed(sharedScope, 'n')).record.record_id).toBe(shared.record_id);
    const id = await agent.created(scope);
    expect(result(await agent.read(scope, id)).record).not.toHaveProperty('name');
  });

  testCase('MEM-C62 an expired record holds it until it is put again', async (t) => {
    const agent = await t.agent();
    const valid_until_millis = t.clock.now() + 10;
    const { record_id } = result(
      await agent.put(scope, 'n', { record: record({ valid_until_millis }) }),
    ).receipt;
    t.clock.advance(10);
    expect(outcome(await agent.readNamed(scope, 'n'))).toBe(refused.noRecord);
    const again = result(await agent.put(scope, 'n', { expected_revision: 0 })).receipt;
    expect(again).toMatchObject({ action: 'updated', revision: 2, record_id });
    expect(result(await agent.readNamed(scope, 'n')).record.revision).toBe(2);
  });

  testCase('MEM-C63 needs the rights of memory', async (t) => {
    const agent = await t.agent();
    const other = { ...scope, agent_id: 'z' };
    expect(outcome(await agent.put(other, 'n'))).toBe(refused.forbidden);
    expect(outcome(await agent.readNamed(other, 'n'))).toBe(refused.forbidden);
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await reader.put(scope, 'n'))).toBe(refused.forbidden);
    expect(outcome(await reader.remove(scope, 'n'))).toBe(refused.forbidden);
    expect(outcome(await reader.readNamed(scope, 'n'))).toBe(refused.noRecord);
  });
});
