/** Redactions, deletions and restores that wait for review (docs/contract/review.md#rev-25). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { compare, inBranch, merge, texted, textsIn } from '../branches/harness.js';
import {
  idsOf,
  propose,
  proposed,
  proposerOf,
  reject,
  requireReview,
  reviewerOf,
  submit,
} from './harness.js';

/** Makes a record of two revisions, of which the first has a secret. */
async function secretIn(agent: Caller, text = 'the secret'): Promise<string> {
  const id = await agent.created(sharedScope, texted(text));
  result(await agent.update(sharedScope, [id, 1], texted('harmless')));
  return id;
}

/** Returns whether the first revision can be read. */
const isReadable = async (agent: Caller, id: string): Promise<boolean> =>
  (await agent.readAt(sharedScope, id, { revision: 1 })).status === 200;

async function withSecret(t: Fixture) {
  const writer = await t.agent({ subject_id: 'wanda' });
  const id = await secretIn(writer);
  return { writer, agent: await proposerOf(t), rita: await reviewerOf(t), id };
}

describe('a proposed redaction', () => {
  // REV-25, BRA-19, BRA-20, BRA-24, HIS-24
  testCase('REV-C19 is a difference that a merge carries out', async (t) => {
    const { agent, rita, id } = await withSecret(t);
    const redact = { type: 'redact', record_id: id, revision: 1 };
    const { receipt } = result(await propose(agent, redact, { idempotency_key: 'k' }));
    expect(receipt).toMatchObject({ record_id: id, revision: 1, action: 'proposed' });
    expect(receipt.proposal).toMatchObject({ state: 'proposed' });
    expect(await isReadable(agent, id)).toBe(true);
    const proposal = receipt.proposal!.id;
    const { page, digest } = await compare(rita, proposal);
    expect(page.items).toMatchObject([
      {
        ...{ record_id: id, redacted_revision: 1, conflict: null, branch: null },
        ...{ base_revision: 1, branch_revision: 1, current_revision: 2 },
        base: { revision: 1, payload: { content: { primary: 'the secret' } } },
        current: { revision: 2, payload: { content: { primary: 'harmless' } } },
      },
    ]);
    t.clock.advance(5_000);
    const dry = result(await merge(rita, proposal, { dry_run: true })).merge;
    expect(dry).toMatchObject({ state: 'checked', left: 1 });
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const first = result(await rita.call('mergeMemoryBranch', { id: proposal, document }));
    expect(first.merge).toEqual({ state: 'merged', merged: 1, left: 0, conflicts: [] });
    expect(await isReadable(agent, id)).toBe(false);
    const [current, old] = result(await agent.revisions(sharedScope, id)).page.items;
    expect(current).toMatchObject({ revision: 2, redacted: null });
    expect(old).toMatchObject({
      revision: 1,
      payload: null,
      redacted: { at_millis: t.clock.now(), author: { subject_id: 'alice' } },
    });
    expect(result(await rita.call('mergeMemoryBranch', { id: proposal, document }))).toEqual(first);
    const again = result(await propose(agent, redact, { idempotency_key: 'k' })).receipt;
    expect(again).toMatchObject({ action: 'proposed', proposal: { state: 'merged' } });
    expect(await idsOf(rita, { state: 'merged' })).toEqual([proposal]);
  });

  // REV-25, REV-20
  testCase('REV-C20 waits where review is required, alone and in batches', async (t) => {
    const { writer, rita, id } = await withSecret(t);
    const other = await secretIn(writer, 'another');
    result(await requireReview(t.admin, 'required'));
    const redact = (record: string) => ({ type: 'redact', record_id: record, revision: 1 });
    const one = await writer.command(sharedScope, redact(id));
    expect(one.status).toBe(202);
    expect(result(one).receipt.action).toBe('proposed');
    const changed = await writer.batch([
      [sharedScope, { ...{ type: 'update', record_id: other }, ...updateOf(2, 'newest') }],
      [sharedScope, { type: 'redact', record_id: other, revision: 2 }],
      [sharedScope, redact(other)],
    ]);
    const { receipt } = result(changed);
    expect(receipt.outcomes.map(({ action }) => action)).toEqual([
      'updated',
      'proposed',
      'proposed',
    ]);
    expect([await isReadable(rita, id), await isReadable(rita, other)]).toEqual([true, true]);
    const ofBatch = receipt.proposal!.id;
    const walked: unknown[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      const at = cursor === null ? {} : { cursor };
      const { page } = await compare(rita, ofBatch, { limit: 1, ...at });
      walked.push(...page.items.map((each) => each.redacted_revision));
      cursor = page.next_cursor;
      isFirst = false;
    }
    expect(walked).toEqual([null, 1, 2]);
    expect(result(await merge(rita, ofBatch)).merge).toMatchObject({ state: 'merged', merged: 3 });
    const revisions = result(await writer.revisions(sharedScope, other)).page.items;
    expect(revisions.map(({ revision, redacted }) => [revision, redacted !== null])).toEqual([
      [3, false],
      [2, true],
      [1, true],
    ]);
    result(await reject(rita, result(one).receipt.proposal!.id));
    expect(await isReadable(rita, id)).toBe(true);
  });

  // REV-7, REV-25
  testCase('REV-C21 is reviewed by the author of the record, not of the redaction', async (t) => {
    const { agent, rita, id } = await withSecret(t);
    const wanda = await reviewerOf(t, { subject_id: 'wanda' });
    const redact = { type: 'redact', record_id: id, revision: 1 };
    const made = result(await propose(agent, redact)).receipt.proposal!.id;
    result(await merge(wanda, made));
    expect(await isReadable(agent, id)).toBe(false);
    const writing = await t.agent();
    const { id: branch } = await inBranch(writing, { scopes: [sharedScope] });
    const capabilities = ['memory_read', 'memory_write', 'memory_review'];
    const bob = await t.agent({ subject_id: 'bob', capabilities });
    const second = await secretIn(bob, 'of bob');
    const { id: own } = await inBranch(writing, { name: 'later', scopes: [sharedScope] });
    const there = { ...sharedScope, branch: own };
    result(await bob.command(there, { type: 'redact', record_id: second, revision: 1 }));
    result(await submit(writing, own));
    expect(outcome(await merge(bob, own))).toBe(refused.forbidden);
    expect(outcome(await merge(bob, own, { dry_run: true }))).toBe(refused.forbidden);
    result(await merge(rita, own));
    expect(await isReadable(agent, second)).toBe(false);
    expect((await compare(writing, branch)).page.items).toEqual([]);
  });

  // REV-25, BRA-19
  testCase('REV-C22 differs no more once nothing is left to take away', async (t) => {
    const { writer, agent, rita, id } = await withSecret(t);
    const redact = { type: 'redact', record_id: id, revision: 1 };
    const made = result(await propose(agent, redact)).receipt.proposal!.id;
    result(await writer.update(sharedScope, [id, 2], texted('changed meanwhile')));
    expect((await compare(rita, made)).page.items).toMatchObject([{ conflict: null }]);
    result(await writer.command(sharedScope, redact));
    expect((await compare(rita, made)).page.items).toEqual([]);
    expect(result(await merge(rita, made)).merge).toMatchObject({ state: 'merged', merged: 0 });
    const other = await secretIn(writer);
    const ofOther = { ...redact, record_id: other };
    const second = result(await propose(agent, ofOther)).receipt.proposal!.id;
    result(await writer.delete(sharedScope, [other, 2]));
    expect((await compare(rita, second)).page.items).toEqual([]);
    result(await merge(rita, second));
  });
});

describe('a branch', () => {
  // BRA-19, BRA-24, BRA-28
  testCase('BRA-C20 merges redactions of what it merged itself', async (t) => {
    const agent = await t.agent();
    const { id } = await inBranch(agent, { scopes: [sharedScope] });
    const there = { ...sharedScope, branch: id };
    const made = await agent.created(there, texted('first'));
    const steps = ['second', 'third'];
    for (const [at, text] of steps.entries()) {
      result(await merge(agent, id));
      result(await agent.update(there, [made, 2 * at + 1], texted('between')));
      result(await agent.update(there, [made, 2 * at + 2], texted(text)));
    }
    // Of the branch 1, 3 and 5 became 1, 2 and 3; 2 and 4 were in it only.
    result(await merge(agent, id));
    for (const revision of [1, 2, 3, 4]) {
      result(await agent.command(there, { type: 'redact', record_id: made, revision }));
    }
    const { page } = await compare(agent, id);
    const seen = page.items.map((each) => [each.redacted_revision, each.branch_revision]);
    expect(seen).toEqual([
      [1, 1],
      [2, 3],
    ]);
    result(await merge(agent, id));
    const items = result(await agent.revisions(sharedScope, made)).page.items;
    expect(items.map(({ redacted }) => redacted !== null)).toEqual([false, true, true]);
    expect(await textsIn(agent, sharedScope)).toEqual(['third']);
  });
});

describe('a proposed restore', () => {
  // REV-10, REV-16, HIS-20, HIS-21
  testCase('REV-C23 is a difference, also of a deleted record', async (t) => {
    const { writer, agent, rita, id } = await withSecret(t);
    const restore = { type: 'restore', record_id: id, revision: 1, expected_revision: 2 };
    const one = result(await propose(agent, restore)).receipt;
    expect(one).toMatchObject({ action: 'restored', revision: 3 });
    expect((await compare(rita, one.proposal!.id)).page.items).toMatchObject([
      { redacted_revision: null, branch: { payload: { content: { primary: 'the secret' } } } },
    ]);
    result(await merge(rita, one.proposal!.id));
    expect(await textsIn(agent, sharedScope)).toEqual(['the secret']);
    result(await t.admin.setRetention({ deleted_days: 9 }, 0));
    const named = result(await writer.put(sharedScope, 'n', { record: texted('named') })).receipt;
    result(await writer.delete(sharedScope, [named.record_id, 1]));
    const back = {
      ...{ type: 'restore', record_id: named.record_id, revision: 1 },
      expected_revision: 2,
    };
    const two = result(await propose(agent, back)).receipt.proposal!.id;
    expect((await compare(rita, two)).page.items).toMatchObject([
      { base_revision: 2, base: null, branch: { name: 'n' }, conflict: null },
    ]);
    result(await merge(rita, two));
    expect(result(await agent.readNamed(sharedScope, 'n')).record.revision).toBe(3);
    const made = await proposed(agent, 'unrelated');
    expect(made.receipt.action).toBe('created');
  });
});

// HIS-37, REV-10, REV-25
testCase(
  'REV-C35 where expired records go at once, commands are proposed all the same',
  async (t) => {
    const { agent, rita, id } = await withSecret(t);
    result(await t.admin.setRetention({ expired_days: 0 }, 0));
    t.clock.advance(60_000);
    const redact = { type: 'redact', record_id: id, revision: 1 };
    const one = result(await propose(agent, redact)).receipt.proposal!.id;
    expect((await compare(rita, one)).page.items).toMatchObject([{ redacted_revision: 1 }]);
    result(await merge(rita, one));
    expect(await isReadable(agent, id)).toBe(false);
    const update = { type: 'update', record_id: id, ...updateOf(2, 'better') };
    result(await merge(rita, result(await propose(agent, update)).receipt.proposal!.id));
    expect(await textsIn(agent, sharedScope)).toEqual(['better']);
    const absent = { ...redact, record_id: '01b8dac5-b400-7000-8000-000000000000' };
    expect(outcome(await propose(agent, absent))).toBe(refused.noRecord);
  },
);

function updateOf(expected_revision: number, text: string) {
  return { expected_revision, record: texted(text) };
}
