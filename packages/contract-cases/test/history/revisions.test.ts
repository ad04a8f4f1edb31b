/** Revisions of records: list, read, restore and redact (docs/contract/history.md#his-1). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import {
  minimalRecord,
  record,
  scope,
  sharedScope,
  ungranted,
  unknownId,
} from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';

const texted = (primary: string): Members => record({ content: { primary } });
// CON-171
const currentRevision = '409 current_revision';
const DAY_MS = 86_400_000;

/** Makes a record of these texts, one for each revision, a second apart. */
async function revised(t: Fixture, agent: Caller, texts: readonly string[]): Promise<string> {
  const [first = '', ...others] = texts;
  const id = await agent.created(scope, texted(first));
  for (const [index, text] of others.entries()) {
    t.clock.advance(1_000);
    result(await agent.update(scope, [id, index + 1], texted(text), `key of ${text}`));
  }
  return id;
}

async function textAt(agent: Caller, id: string, members: Members): Promise<string> {
  const answer = await agent.readAt(scope, id, members);
  if (answer.status !== 200) return outcome(answer);
  return result(answer).record.payload.content.primary;
}

/** Numbers and texts of the revisions that are listed. */
async function listed(agent: Caller, id: string): Promise<[number, string | null][]> {
  const { items } = result(await agent.revisions(scope, id, { limit: 100 })).page;
  return items.map(({ revision, payload }) => [revision, payload?.content.primary ?? null]);
}

describe('revisions', () => {
  testCase('HIS-C1 are listed newest first, each with its author and key', async (t) => {
    const agent = await t.agent();
    const start = t.clock.now();
    const id = await revised(t, agent, ['one', 'two']);
    const other = await t.agent();
    t.clock.advance(1_000);
    result(await other.update(scope, [id, 2], texted('three'), unknownId));
    const { page } = result(await agent.revisions(scope, id));
    const author = (caller: Caller) => ({ credential_id: caller.id, subject_id: 'alice' });
    const shown = (revision: number, primary: string, members: Members) => ({
      revision,
      modified_at_millis: start + (revision - 1) * 1_000,
      payload: expect.objectContaining({
        content: expect.objectContaining({ primary }) as unknown,
      }) as unknown,
      redacted: null,
      ...members,
    });
    expect(page).toEqual({
      items: [
        shown(3, 'three', {
          superseded_at_millis: null,
          author: author(other),
          idempotency_key: unknownId,
        }),
        shown(2, 'two', {
          superseded_at_millis: start + 2_000,
          author: author(agent),
          idempotency_key: 'key of two',
        }),
        shown(1, 'one', {
          superseded_at_millis: start + 1_000,
          author: author(agent),
          idempotency_key: expect.any(String) as unknown,
        }),
      ],
      next_cursor: null,
    });
  });

  testCase('HIS-C2 are paged, also beside changes', async (t) => {
    const agent = await t.agent();
    const id = await revised(t, agent, ['1', '2', '3', '4', '5']);
    const numbers: number[] = [];
    let cursor: string | null = null;
    do {
      const at: Members = cursor === null ? {} : { cursor };
      const { page } = result(await agent.revisions(scope, id, { limit: 2, ...at }));
      expect(page.items.length).toBeLessThanOrEqual(2);
      numbers.push(...page.items.map(({ revision }) => revision));
      if (cursor === null) result(await agent.update(scope, [id, 5], texted('6')));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(numbers).toEqual([5, 4, 3, 2, 1]);
    const [first] = (await listed(agent, id))[0]!;
    expect(first).toBe(6);
  });

  testCase('HIS-C3 refuses what is not asked well, or not granted', async (t) => {
    const agent = await t.agent();
    const id = await revised(t, agent, ['one', 'two']);
    const other = await revised(t, agent, ['x', 'y']);
    const list = async (...args: Parameters<Caller['revisions']>) =>
      outcome(await agent.revisions(...args));
    const { page } = result(await agent.revisions(scope, id, { limit: 1 }));
    const cursor = page.next_cursor;
    expect(await list(scope, id, { limit: 0 })).toBe(refused.invalid);
    expect(await list(scope, id, { limit: 101 })).toBe(refused.invalid);
    expect(await list(scope, other, { cursor })).toBe(refused.invalid);
    expect(await list(scope, id, { cursor: 'x' })).toBe(refused.invalid);
    expect(await list(scope, id, { cursor })).toBe('200');
    expect(await list(scope, unknownId)).toBe(refused.noRecord);
    expect(await list(sharedScope, id)).toBe(refused.noRecord);
    expect(await list(scope, 'no id')).toBe(refused.invalid);
    expect(await list(ungranted, 'no id')).toBe(refused.forbidden);
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await bob.revisions(scope, id))).toBe(refused.noRecord);
    const writer = await t.agent({ capabilities: ['memory_write'] });
    expect(outcome(await writer.revisions(scope, id))).toBe(refused.forbidden);
    result(await t.admin.revoke(agent.id, 1));
    expect(await list(scope, id)).toBe(refused.unauthorized);
  });

  testCase('HIS-C4 are read by number, and as of a time', async (t) => {
    const agent = await t.agent();
    const start = t.clock.now();
    const id = await revised(t, agent, ['one', 'two', 'three']);
    for (const [revision, text] of [
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
      [4, refused.noRecord],
      [0, refused.invalid],
    ] as const) {
      expect(await textAt(agent, id, { revision })).toBe(text);
    }
    for (const [after, text] of [
      [-1, refused.noRecord],
      [0, 'one'],
      [999, 'one'],
      [1_000, 'two'],
      [2_000, 'three'],
      [9_999_999, 'three'],
    ] as const) {
      expect(await textAt(agent, id, { as_of_millis: start + after })).toBe(text);
    }
    const both = await agent.readAt(scope, id, { revision: 1, as_of_millis: start });
    expect(outcome(both)).toBe(refused.invalid);
    const outside = await agent.readAt(ungranted, id, { revision: 1 });
    expect(outcome(outside)).toBe(refused.forbidden);
    const { record: first } = result(await agent.readAt(scope, id, { revision: 1 }));
    expect(first).toMatchObject({ record_id: id, revision: 1, modified_at_millis: start });
  });

  testCase('HIS-C5 of an expired record are read, each as it was valid then', async (t) => {
    const agent = await t.agent();
    const start = t.clock.now();
    const ending = record({ valid_until_millis: start + 5_000 });
    const id = await agent.created(scope, ending);
    t.clock.advance(1_000);
    result(await agent.update(scope, [id, 1], record({ valid_until_millis: start + 2_000 })));
    t.clock.advance(60_000);
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    const asOf = async (after: number) =>
      outcome(await agent.readAt(scope, id, { as_of_millis: start + after }));
    expect(await asOf(500)).toBe('200');
    expect(await asOf(1_500)).toBe('200');
    expect(await asOf(2_000)).toBe(refused.noRecord);
    expect(outcome(await agent.readAt(scope, id, { revision: 2 }))).toBe('200');
    expect((await listed(agent, id)).map(([revision]) => revision)).toEqual([2, 1]);
  });

  testCase('HIS-C6 a delete takes all of them away', async (t) => {
    const agent = await t.agent();
    const texts = Array.from({ length: 14 }, (_, index) => String(index));
    const id = await revised(t, agent, texts);
    const start = t.clock.now();
    result(await agent.delete(scope, [id, 14]));
    expect(outcome(await agent.revisions(scope, id))).toBe(refused.noRecord);
    expect(await textAt(agent, id, { revision: 13 })).toBe(refused.noRecord);
    expect(await textAt(agent, id, { as_of_millis: start - 1 })).toBe(refused.noRecord);
    expect(outcome(await agent.restore(scope, id, 13, 15))).toBe(refused.noRecord);
    expect(outcome(await agent.redact(scope, id, 13))).toBe(refused.noRecord);
    expect(outcome(await agent.redact(scope, id, 15))).toBe(refused.noRecord);
  });
});

describe('restore', () => {
  testCase('HIS-C7, HIS-16, HIS-17 makes a new revision with an old payload', async (t) => {
    const agent = await t.agent();
    const id = await revised(t, agent, ['one', 'two']);
    const { receipt } = result(await agent.restore(scope, id, 1, 2, 'k'));
    expect(receipt).toMatchObject({ record_id: id, revision: 3, action: 'restored' });
    expect(await listed(agent, id)).toEqual([
      [3, 'one'],
      [2, 'two'],
      [1, 'one'],
    ]);
    expect(await agent.found(scope, { text_contains: 'one' })).toEqual([id]);
    expect(result(await agent.restore(scope, id, 1, 2, 'k')).receipt).toEqual(receipt);
    expect(outcome(await agent.restore(scope, id, 2, 2, 'k'))).toBe(refused.otherCommand);
    expect(outcome(await agent.restore(scope, id, 1, 2))).toBe(refused.stale);
    expect(outcome(await agent.restore(scope, id, 4, 3))).toBe(refused.noRecord);
    expect(outcome(await agent.restore(scope, id, 0, 3))).toBe(refused.invalid);
    expect(outcome(await agent.restore(scope, unknownId, 1, 3))).toBe(refused.noRecord);
    expect(outcome(await agent.restore(scope, id, 3, 3))).toBe('200');
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await reader.restore(scope, id, 1, 4))).toBe(refused.forbidden);
  });

  testCase('HIS-C8 brings a deleted record back while its content is kept', async (t) => {
    const agent = await t.agent();
    result(await t.admin.setRetention({ deleted_days: 2 }));
    const made = result(await agent.put(scope, 'n', { record: texted('one') })).receipt;
    const id = made.record_id;
    result(await agent.put(scope, 'n', { record: texted('two') }));
    result(await agent.remove(scope, 'n'));
    expect(outcome(await agent.read(scope, id))).toBe(refused.noRecord);
    expect(outcome(await agent.update(scope, [id, 3]))).toBe(refused.noRecord);
    expect(await listed(agent, id)).toEqual([
      [3, null],
      [2, 'two'],
      [1, 'one'],
    ]);
    expect(await textAt(agent, id, { as_of_millis: t.clock.now() })).toBe(refused.noRecord);
    t.clock.advance(2 * DAY_MS - 1);
    expect(await textAt(agent, id, { revision: 2 })).toBe('two');
    const taken = result(await agent.put(scope, 'n', { record: texted('new') })).receipt;
    expect(outcome(await agent.restore(scope, id, 2, 3))).toBe(refused.stale);
    result(await agent.delete(scope, [taken.record_id, 1]));
    const { receipt } = result(await agent.restore(scope, id, 2, 3));
    expect(receipt).toMatchObject({ action: 'restored', revision: 4 });
    const back = result(await agent.readNamed(scope, 'n')).record;
    expect(back).toMatchObject({ record_id: id, revision: 4 });
    result(await agent.remove(scope, 'n'));
    t.clock.advance(2 * DAY_MS);
    expect(outcome(await agent.restore(scope, id, 4, 5))).toBe(refused.noRecord);
    expect(outcome(await agent.revisions(scope, id))).toBe(refused.noRecord);
    const later = result(await agent.put(scope, 'n')).receipt;
    expect(later.record_id).not.toBe(id);
  });
});

describe('redact', () => {
  testCase('HIS-C9, HIS-16, HIS-18 takes the payload of an old revision away', async (t) => {
    const agent = await t.agent();
    const id = await revised(t, agent, ['one', 'two', 'three']);
    t.clock.advance(500);
    const { receipt } = result(await agent.redact(scope, id, 1, 'k'));
    expect(receipt).toMatchObject({ record_id: id, revision: 1, action: 'redacted' });
    const stub = { at_millis: t.clock.now(), author: receipt.author };
    const { items } = result(await agent.revisions(scope, id)).page;
    expect(items.map(({ revision, redacted }) => [revision, redacted])).toEqual([
      [3, null],
      [2, null],
      [1, stub],
    ]);
    expect(items[2]).toMatchObject({
      payload: null,
      idempotency_key: expect.any(String) as string,
    });
    expect(await textAt(agent, id, { revision: 1 })).toBe(refused.noRecord);
    expect(outcome(await agent.restore(scope, id, 1, 3))).toBe(refused.noRecord);
    expect(result(await agent.redact(scope, id, 1, 'k')).receipt).toEqual(receipt);
    t.clock.advance(1_000);
    expect(result(await agent.redact(scope, id, 1)).receipt.action).toBe('redacted');
    expect(result(await agent.revisions(scope, id)).page.items[2]!.redacted).toEqual(stub);
    expect(result(await agent.read(scope, id)).record.revision).toBe(3);
  });

  testCase('HIS-C10 refuses the current revision, and what is not there', async (t) => {
    const agent = await t.agent();
    const id = await revised(t, agent, ['one', 'two']);
    expect(outcome(await agent.redact(scope, id, 2))).toBe(currentRevision);
    expect(outcome(await agent.redact(scope, id, 3))).toBe(refused.noRecord);
    expect(outcome(await agent.redact(scope, unknownId, 1))).toBe(refused.noRecord);
    expect(outcome(await agent.redact(sharedScope, id, 1))).toBe(refused.noRecord);
    expect(outcome(await agent.redact(scope, id, 0))).toBe(refused.invalid);
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await reader.redact(scope, id, 1))).toBe(refused.forbidden);
    expect(await textAt(agent, id, { revision: 1 })).toBe('one');
  });

  testCase('HIS-4 are kept by every change but a creation', async (t) => {
    const agent = await t.agent();
    const put = (key: string) =>
      agent.command(scope, { type: 'put', name: 'n', record: minimalRecord }, key);
    const { record_id } = result(await put('a')).receipt;
    const kept = async () =>
      result(await agent.revisions(scope, record_id)).page.items.map(({ revision }) => revision);
    expect(await kept()).toEqual([1]);
    result(await put('b'));
    expect(await kept()).toEqual([2, 1]);
    result(await agent.update(scope, [record_id, 2], minimalRecord));
    result(await agent.restore(scope, record_id, 1, 3));
    const update = { type: 'update', record_id, expected_revision: 4, record: minimalRecord };
    result(await agent.batch([[scope, update]]));
    expect(await kept()).toEqual([5, 4, 3, 2, 1]);
  });

  testCase('HIS-C11 and restore work in batches, all or none', async (t) => {
    const agent = await t.agent();
    const record_id = await revised(t, agent, ['one', 'two']);
    const update = { type: 'update', record_id, expected_revision: 2, record: minimalRecord };
    const redact = (revision: number) => ({ type: 'redact', record_id, revision });
    const restore = { type: 'restore', record_id, revision: 2, expected_revision: 3 };
    const refusal = await agent.batch([
      [scope, update],
      [scope, redact(3)],
    ]);
    expect(outcome(refusal)).toBe(currentRevision);
    expect(JSON.stringify(refusal.body)).toContain('commands[1]');
    const { receipt } = result(
      await agent.batch([
        [scope, update],
        [scope, redact(1)],
        [scope, restore],
        [scope, redact(2)],
      ]),
    );
    expect(receipt.outcomes.map(({ action, revision }) => [action, revision])).toEqual([
      ['updated', 3],
      ['redacted', 1],
      ['restored', 4],
      ['redacted', 2],
    ]);
    expect(await listed(agent, record_id)).toEqual([
      [4, 'two'],
      [3, 'x'],
      [2, null],
      [1, null],
    ]);
  });
});
