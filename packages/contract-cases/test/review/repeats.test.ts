/** One receipt for one key, also of a command that waits (docs/contract/review.md#rev-11). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { compare, dropBranch, inBranch, merge, texted, textsIn } from '../branches/harness.js';
import {
  idsOf,
  propose,
  proposed,
  proposerOf,
  reject,
  requireReview,
  reviewerOf,
} from './harness.js';

const CLOSED = '409 branch_closed';
const create = (text: string) => ({ type: 'create', record: texted(text) });

/** Sends a batch of one command with a key. */
const batchOf = (agent: Caller, text: string, members: Members = {}) =>
  agent.call('executeMemoryBatch', {
    document: {
      ...{ contract_version: 1, idempotency_key: 'b' },
      commands: [{ scope: sharedScope, operation: create(text) }],
      ...members,
    },
  });

describe('a key', () => {
  // REV-11, REV-20
  testCase('REV-C24 of a command that waits is answered so when nothing is reviewed', async (t) => {
    const agent = await t.agent();
    const rita = await reviewerOf(t);
    result(await requireReview(t.admin, 'required'));
    const waiting = await agent.command(sharedScope, create('one'), 'k');
    const inBatch = await batchOf(agent, 'two');
    expect([waiting.status, inBatch.status]).toEqual([202, 202]);
    result(await requireReview(t.admin, 'none', 1));
    expect(await agent.command(sharedScope, create('one'), 'k')).toEqual(waiting);
    expect(await batchOf(agent, 'two')).toEqual(inBatch);
    expect(await batchOf(agent, 'two', { propose: true })).toEqual(inBatch);
    const other = await agent.command(sharedScope, create('other'), 'k');
    expect(outcome(other)).toBe(refused.otherCommand);
    expect(outcome(await batchOf(agent, 'other'))).toBe(refused.otherCommand);
    expect(await textsIn(agent, sharedScope)).toEqual([]);
    for (const id of await idsOf(rita)) result(await merge(rita, id));
    const merged = await agent.command(sharedScope, create('one'), 'k');
    expect(merged.status).toBe(202);
    expect(result(merged).receipt).toMatchObject({ proposal: { state: 'merged' } });
    expect(result(await batchOf(agent, 'two')).receipt.proposal?.state).toBe('merged');
    expect(await textsIn(agent, sharedScope)).toEqual(['one', 'two']);
  });

  // REV-11, REV-20
  testCase('REV-C25 that took effect proposes nothing later', async (t) => {
    const agent = await t.agent();
    const before = await agent.command(sharedScope, create('one'), 'k');
    const batch = await batchOf(agent, 'two');
    result(await requireReview(t.admin, 'required'));
    expect(await agent.command(sharedScope, create('one'), 'k')).toEqual(before);
    expect(await batchOf(agent, 'two')).toEqual(batch);
    expect(await batchOf(agent, 'two', { propose: true })).toEqual(batch);
    const asked = await propose(agent, create('one'), { idempotency_key: 'k' });
    expect(asked.status).toBe(201);
    expect(result(asked).receipt).toEqual(result(before).receipt);
    const other = await propose(agent, create('other'), { idempotency_key: 'k' });
    expect(outcome(other)).toBe(refused.otherCommand);
    expect(await idsOf(agent)).toEqual([]);
    expect(await textsIn(agent, sharedScope)).toEqual(['one', 'two']);
  });

  // REV-11
  testCase('REV-C26 of a proposal is that of a command too', async (t) => {
    const agent = await t.agent();
    const rita = await reviewerOf(t);
    const { receipt, id } = await proposed(agent, 'one', { idempotency_key: 'k' });
    const sent = await agent.command(sharedScope, create('one'), 'k');
    expect(sent.status).toBe(202);
    expect(result(sent).receipt).toEqual(receipt);
    result(await reject(rita, id));
    const again = result(await agent.command(sharedScope, create('one'), 'k')).receipt;
    expect(again.proposal).toMatchObject({ id, state: 'rejected' });
    expect(await textsIn(agent, sharedScope)).toEqual([]);
    t.clock.advance(31 * 86_400_000);
    expect(outcome(await agent.command(sharedScope, create('one'), 'k'))).toBe(CLOSED);
    expect(outcome(await propose(agent, create('one'), { idempotency_key: 'k' }))).toBe(CLOSED);
  });

  // REV-11, REV-13
  testCase('REV-C27 stays used when its proposal was withdrawn or ended', async (t) => {
    const agent = await proposerOf(t);
    const one = await proposed(agent, 'one', { idempotency_key: 'k' });
    await proposed(agent, 'two', { idempotency_key: 'l', expires_in_seconds: 60 });
    const batch = result(await batchOf(agent, 'three', { propose: true })).receipt;
    result(await dropBranch(agent, one.id));
    result(await dropBranch(agent, batch.proposal!.id));
    t.clock.advance(60_000);
    const repeat = (text: string, key: string) =>
      propose(agent, create(text), { idempotency_key: key });
    expect(outcome(await repeat('one', 'k'))).toBe(CLOSED);
    expect(outcome(await repeat('two', 'l'))).toBe(CLOSED);
    expect(outcome(await batchOf(agent, 'three', { propose: true }))).toBe(CLOSED);
    expect(outcome(await repeat('other', 'k'))).toBe(refused.otherCommand);
    expect(await idsOf(agent)).toEqual([]);
    result(await propose(agent, create('one')));
  });

  // BRA-26, REV-21
  testCase('REV-C28 of a merge is answered the same once branches need a review', async (t) => {
    const agent = await t.agent();
    const { id } = await inBranch(agent, { scopes: [sharedScope] });
    await agent.created({ ...sharedScope, branch: id }, texted('one'));
    const { digest } = await compare(agent, id);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const first = await agent.call('mergeMemoryBranch', { id, document });
    result(await requireReview(t.admin, 'required'));
    expect(await agent.call('mergeMemoryBranch', { id, document })).toEqual(first);
    const other = { ...document, idempotency_key: 'other' };
    const refusedMerge = await agent.call('mergeMemoryBranch', { id, document: other });
    expect(outcome(refusedMerge)).toBe(refused.forbidden);
  });
});
