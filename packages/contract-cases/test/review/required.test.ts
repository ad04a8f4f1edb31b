/** Scopes of which commands wait for review (docs/contract/review.md#rev-19). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { missionScope, scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { inBranch, merge, texted, textsIn } from '../branches/harness.js';
import { idsOf, proposerOf, requireReview, reviewerOf } from './harness.js';

const create = { type: 'create', record: texted('batched') };

const shown = async (admin: Caller, where: Members) => {
  const parameters = { contract_version: 1, ...where };
  const answer = result(await admin.call('getMemoryRetention', { parameters }));
  return [answer.review, answer.effective_review];
};

describe('a scope that requires review', () => {
  // REV-20, REV-21
  testCase('REV-C13 makes commands and batches proposals', async (t) => {
    const agent = await t.agent();
    const rita = await reviewerOf(t);
    const before = await agent.create(sharedScope, texted('before'), 'first');
    const settled = result(await requireReview(t.admin, 'required'));
    expect(settled).toMatchObject({ review: 'required', effective_review: 'required' });
    const waiting = await agent.create(sharedScope, texted('waiting'), 'k');
    expect(waiting.status).toBe(202);
    const { receipt } = result(waiting);
    expect(receipt).toMatchObject({ action: 'created', revision: 1, idempotency_key: 'k' });
    expect(receipt.proposal).toMatchObject({ state: 'proposed', author: { subject_id: 'alice' } });
    expect(await agent.create(sharedScope, texted('waiting'), 'k')).toEqual(waiting);
    expect(await agent.create(sharedScope, texted('before'), 'first')).toEqual(before);
    const other = await agent.create(sharedScope, texted('other'), 'k');
    expect(outcome(other)).toBe(refused.otherCommand);
    const batch = await agent.batch(
      [
        [sharedScope, create],
        [sharedScope, { type: 'put', name: 'n', record: texted('named') }],
      ],
      'b',
    );
    expect(batch.status).toBe(202);
    expect(result(batch).receipt.outcomes).toHaveLength(2);
    expect(await textsIn(agent, sharedScope)).toEqual(['before']);
    const ids = [receipt.proposal?.id, result(batch).receipt.proposal?.id];
    expect(await idsOf(rita)).toEqual(ids);
    for (const id of ids) result(await merge(rita, id!));
    expect(await textsIn(agent, sharedScope)).toEqual(['batched', 'before', 'named', 'waiting']);
    expect(result(await agent.read(sharedScope, receipt.record_id)).record.revision).toBe(1);
    result(await requireReview(t.admin, 'none', 1));
    expect((await agent.create(sharedScope, texted('after'))).status).toBe(200);
  });

  // REV-20, REV-21
  testCase('REV-C14 leaves private scopes, branches and reviewers alone', async (t) => {
    const agent = await t.agent();
    const writing = ['memory_read', 'memory_write', 'memory_review'];
    const rita = await reviewerOf(t, { capabilities: writing });
    result(await requireReview(t.admin, 'required', 0, null));
    expect((await rita.create(sharedScope, texted('of rita'))).status).toBe(200);
    expect((await agent.create(scope, texted('private'))).status).toBe(200);
    const { id } = await inBranch(agent, { scopes: [sharedScope] });
    const there = { ...sharedScope, branch: id };
    expect((await agent.create(there, texted('tried'))).status).toBe(200);
    expect(outcome(await merge(agent, id))).toBe(refused.forbidden);
    const ofRita = await inBranch(rita, { name: 'hers', scopes: [sharedScope] });
    result(await merge(rita, ofRita.id));
    const mixed = await agent.batch([
      [sharedScope, create],
      [scope, create],
    ]);
    expect(outcome(mixed)).toBe(refused.invalid);
    const kept = await rita.created(sharedScope, texted('kept'));
    const traced = { type: 'delete', record_id: kept, expected_revision: 1, dependents: 'report' };
    expect(outcome(await agent.command(sharedScope, traced))).toBe(refused.invalid);
    const gone = await agent.update(sharedScope, [kept, 7], texted('x'));
    expect(outcome(gone)).toBe(refused.stale);
  });

  // REV-19
  testCase('REV-C15 is set by who administers memory', async (t) => {
    expect(await shown(t.admin, sharedScope)).toEqual(['none', 'none']);
    expect(outcome(await requireReview(t.admin, 'required', 0, scope))).toBe(refused.invalid);
    expect(outcome(await requireReview(t.admin, 'always'))).toBe(refused.invalid);
    const agent = await t.agent();
    expect(outcome(await requireReview(agent, 'none'))).toBe(refused.forbidden);
    result(await requireReview(t.admin, 'required', 0, null));
    expect(await shown(t.admin, sharedScope)).toEqual(['none', 'required']);
    expect(await shown(t.admin, scope)).toEqual(['none', 'none']);
    const { revision } = result(await t.admin.setRetention({ revision_days: 5 }, 1));
    expect([revision, await shown(t.admin, {})]).toEqual([2, ['required', 'required']]);
    result(await requireReview(t.admin, 'none', 2, null));
    result(await requireReview(t.admin, 'required'));
    expect(await shown(t.admin, sharedScope)).toEqual(['required', 'required']);
    const other = { ...missionScope, visibility: 'shared' };
    expect(await shown(t.admin, other)).toEqual(['none', 'none']);
  });
});

describe('a batch', () => {
  // REV-24
  testCase('REV-C18 may be one proposal', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const commands = ['one', 'two'].map((name) => ({
      scope: sharedScope,
      operation: { type: 'put', name, record: texted(name) },
    }));
    const send = (some: unknown, members: Members = {}) =>
      agent.call('executeMemoryBatch', {
        document: { contract_version: 1, idempotency_key: 'b', commands: some, ...members },
      });
    expect(outcome(await send(commands))).toBe(refused.forbidden);
    const made = await send(commands, { propose: true });
    expect(made.status).toBe(202);
    expect(await send(commands, { propose: true })).toEqual(made);
    const part = await send(commands.slice(1), { propose: true });
    expect(outcome(part)).toBe(refused.otherCommand);
    const id = result(made).receipt.proposal?.id;
    expect(await idsOf(rita)).toEqual([id]);
    result(await merge(rita, id!));
    expect(await textsIn(agent, sharedScope)).toEqual(['one', 'two']);
  });
});
