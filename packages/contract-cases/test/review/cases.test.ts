/** Proposals and their review (docs/contract/review.md). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import {
  compare,
  getBranch,
  inBranch,
  merge,
  namesOf,
  texted,
  textsIn,
} from '../branches/harness.js';
import {
  idsOf,
  proposalsOf,
  propose,
  proposed,
  proposerOf,
  reject,
  reviewerOf,
  submit,
} from './harness.js';

const CLOSED = '409 branch_closed';
const GONE = '404 branch_not_found';
const sharedOnly = { scopes: [sharedScope] };

describe('a proposed command', () => {
  // REV-1, REV-9, REV-10, REV-11
  testCase('REV-C1 waits, and is found by its key', async (t) => {
    const writer = await t.agent({ subject_id: 'wanda' });
    const kept = await writer.created(sharedScope, texted('kept'));
    result(await writer.put(sharedScope, 'n', { record: texted('named') }));
    const agent = await proposerOf(t);
    const made = await proposed(agent, 'made', { idempotency_key: 'k', purpose: 'Ann said so.' });
    expect(made.receipt).toMatchObject({ revision: 1, action: 'created', idempotency_key: 'k' });
    expect(made.proposal).toEqual({
      id: made.id,
      name: made.id,
      state: 'proposed',
      scopes: [{ ...sharedScope, mission_id: null }],
      proposed_at_millis: t.clock.now(),
      age_millis: 0,
      ends_at_millis: t.clock.now() + 604_800_000,
      purpose: 'Ann said so.',
      author: { credential_id: agent.id, subject_id: 'alice' },
      decided_at_millis: null,
      reviewer: null,
      reason: null,
      merged: [],
      merged_count: 0,
    });
    const update = { type: 'update', record_id: kept, expected_revision: 1, record: texted('new') };
    const updated = result(await propose(agent, update)).receipt;
    expect(updated).toMatchObject({ record_id: kept, revision: 2, action: 'updated' });
    result(await propose(agent, { type: 'remove', name: 'n' }));
    expect(await textsIn(agent, sharedScope)).toEqual(['kept', 'named']);
    const where = { ...sharedScope, branch: made.id };
    expect(await textsIn(agent, where)).toEqual(['kept', 'made', 'named']);
    t.clock.advance(1_000);
    const again = await proposed(agent, 'made', { idempotency_key: 'k' });
    expect(again.receipt).toEqual({
      ...made.receipt,
      proposal: { ...made.proposal, age_millis: 1_000 },
    });
    const other = { type: 'create', record: texted('other') };
    const conflict = await propose(agent, other, { idempotency_key: 'k' });
    expect(outcome(conflict)).toBe(refused.otherCommand);
    const stale = { ...update, expected_revision: 7 };
    expect(outcome(await propose(agent, stale))).toBe(refused.stale);
    const gone = { ...update, record_id: made.receipt.record_id };
    expect(outcome(await propose(agent, gone))).toBe(refused.noRecord);
    expect(await idsOf(agent)).toHaveLength(3);
    expect(outcome(await propose(agent, other, { scope }))).toBe(refused.invalid);
    const traced = { type: 'remove', name: 'n', dependents: 'report' };
    expect(outcome(await propose(agent, traced))).toBe(refused.invalid);
  });
});

describe('a review', () => {
  // REV-16, REV-18
  testCase('REV-C2 makes it memory, once, with both names', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const { id, receipt } = await proposed(agent, 'made', { idempotency_key: 'k' });
    const { digest, page } = await compare(rita, id);
    expect(page.items).toMatchObject([{ record_id: receipt.record_id, conflict: null }]);
    t.clock.advance(5_000);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const first = result(await rita.call('mergeMemoryBranch', { id, document }));
    expect(first.merge).toEqual({ state: 'merged', merged: 1, left: 0, conflicts: [] });
    expect(result(await agent.read(sharedScope, receipt.record_id)).record).toMatchObject({
      revision: 1,
      author: { credential_id: agent.id, subject_id: 'alice' },
      merged_by: { credential_id: rita.id, subject_id: 'rita' },
    });
    expect(result(await rita.call('mergeMemoryBranch', { id, document }))).toEqual(first);
    const other = { ...document, idempotency_key: 'other' };
    expect(outcome(await rita.call('mergeMemoryBranch', { id, document: other }))).toBe(CLOSED);
    const again = await proposed(agent, 'made', { idempotency_key: 'k' });
    expect(again.proposal).toMatchObject({
      state: 'merged',
      age_millis: 5_000,
      decided_at_millis: t.clock.now(),
      reviewer: { subject_id: 'rita' },
      reason: null,
    });
    expect(outcome(await getBranch(rita, id))).toBe(GONE);
    expect(await idsOf(rita)).toEqual([]);
    expect(await idsOf(rita, { state: 'merged' })).toEqual([id]);
    expect(outcome(await reject(rita, id))).toBe(CLOSED);
    // REV-14: what was merged is named. REV-15: a proposal is found by its id in any state.
    const named = { scope: sharedScope, record_id: receipt.record_id, revision: 1 };
    const found = await proposalsOf(rita, { proposal_id: id });
    expect(found.items).toMatchObject([
      { merged: [{ ...named, action: 'created' }], merged_count: 1 },
    ]);
    expect(await idsOf(rita, { proposal_id: receipt.record_id })).toEqual([]);
  });

  // REV-4, REV-17, REV-18
  testCase('REV-C3 may reject it, and that stays', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const { id } = await proposed(agent, 'made');
    const { digest } = await compare(rita, id);
    for (const reason of ['', 'é'.repeat(513), null]) {
      expect(outcome(await reject(rita, id, reason))).toBe(refused.invalid);
    }
    const first = result(await reject(rita, id, 'It is wrong.')).proposal;
    expect(first).toMatchObject({ id, state: 'rejected', reason: 'It is wrong.' });
    expect(result(await reject(rita, id, 'Another reason.')).proposal).toEqual(first);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    expect(outcome(await rita.call('mergeMemoryBranch', { id, document }))).toBe(CLOSED);
    expect(await textsIn(agent, sharedScope)).toEqual([]);
    expect(outcome(await agent.query({ ...sharedScope, branch: id }))).toBe(GONE);
    expect(await idsOf(agent, { state: 'rejected' })).toEqual([id]);
    t.clock.advance(31 * 86_400_000);
    expect(await idsOf(agent, { state: 'proposed' })).toEqual([]);
  });

  // REV-7, REV-16
  testCase('REV-C6 leaves out what the reviewer wrote', async (t) => {
    const agent = await t.agent();
    const capabilities = ['memory_read', 'memory_write', 'memory_review'];
    const rita = await reviewerOf(t, { capabilities });
    const { id, where } = await inBranch(agent, sharedOnly);
    const there = { ...sharedScope, branch: where.branch };
    const hers = await rita.created(there, texted('of rita'));
    const other = await agent.created(there, texted('of alice'));
    result(await submit(agent, id));
    expect(outcome(await merge(rita, id))).toBe(refused.forbidden);
    expect(outcome(await merge(rita, id, { records: [hers] }))).toBe(refused.forbidden);
    const some = result(await merge(rita, id, { records: [other] })).merge;
    expect(some).toMatchObject({ state: 'merged', merged: 1 });
    expect(await textsIn(agent, sharedScope)).toEqual(['of alice']);
    const bob = await reviewerOf(t, { subject_id: 'bob' });
    result(await merge(bob, id));
    expect(await textsIn(agent, sharedScope)).toEqual(['of alice', 'of rita']);
  });

  // REV-16
  testCase('REV-C8 of a part leaves the rest waiting', async (t) => {
    const agent = await t.agent();
    const rita = await reviewerOf(t);
    const { id } = await inBranch(agent, sharedOnly);
    const there = { ...sharedScope, branch: id };
    const one = await agent.created(there, texted('one'));
    await agent.created(there, texted('two'));
    result(await submit(agent, id));
    result(await merge(rita, id, { records: [one] }));
    expect(await textsIn(agent, sharedScope)).toEqual(['one']);
    expect(await idsOf(rita)).toEqual([id]);
    expect((await compare(rita, id)).page.items).toHaveLength(1);
    const part = { merged: [{ record_id: one, action: 'created' }], merged_count: 1 };
    expect((await proposalsOf(rita)).items).toMatchObject([{ state: 'proposed', ...part }]);
    result(await merge(rita, id));
    const whole = { state: 'merged', merged: [...part.merged, {}], merged_count: 2 };
    expect((await proposalsOf(rita, { proposal_id: id })).items).toMatchObject([whole]);
    expect(await textsIn(agent, sharedScope)).toEqual(['one', 'two']);
    expect(await idsOf(rita)).toEqual([]);
    expect(await idsOf(rita, { state: 'merged' })).toEqual([id]);
  });
});

describe('a submitted branch', () => {
  // REV-2, REV-9, REV-12
  testCase('REV-C7 takes no more commands', async (t) => {
    const agent = await t.agent();
    const rita = await reviewerOf(t);
    const { id } = await inBranch(agent, { ...sharedOnly, purpose: 'to try' });
    const there = { ...sharedScope, branch: id };
    const made = result(await agent.create(there, texted('made'), 'first'));
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await submit(bob, id))).toBe(refused.forbidden);
    expect(outcome(await reject(rita, id))).toBe(GONE);
    expect(outcome(await merge(rita, id))).toBe(refused.forbidden);
    const { proposal } = result(await submit(agent, id));
    expect(proposal).toMatchObject({ id, name: 'trial', state: 'proposed', purpose: 'to try' });
    expect(result(await submit(agent, id, { purpose: 'again' })).proposal).toEqual(proposal);
    expect(outcome(await agent.create(there, texted('more')))).toBe(CLOSED);
    expect(result(await agent.create(there, texted('made'), 'first'))).toEqual(made);
    expect(outcome(await merge(agent, id))).toBe(refused.forbidden);
    expect(await namesOf(agent)).toEqual([]);
    expect(result(await getBranch(agent, id)).branch.name).toBe('trial');
    expect((await inBranch(agent, sharedOnly)).branch.name).toBe('trial');
    const mixed = await inBranch(agent, { name: 'mixed', scopes: [scope, sharedScope] });
    expect(outcome(await submit(agent, mixed.id))).toBe(refused.invalid);
  });
});
