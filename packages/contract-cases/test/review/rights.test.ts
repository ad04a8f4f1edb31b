/** Who may propose and review, and how much waits (docs/contract/review.md#rev-5). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import {
  compare,
  dropBranch,
  getBranch,
  inBranch,
  makeBranch,
  merge,
  texted,
} from '../branches/harness.js';
import {
  idsOf,
  propose,
  proposalsOf,
  proposed,
  proposerOf,
  reject,
  reviewerOf,
  submit,
} from './harness.js';

const GONE = '404 branch_not_found';
const NO_DIGEST = 'A'.repeat(43);
const sharedOnly = { scopes: [sharedScope] };

describe('the right to propose', () => {
  // REV-5, CRD-110
  testCase('REV-C4 writes in own branches only, and merges nothing', async (t) => {
    const agent = await proposerOf(t);
    const writer = await t.agent({ subject_id: 'wanda' });
    const { id } = await inBranch(agent, sharedOnly);
    const there = { ...sharedScope, branch: id };
    const made = result(await agent.create(there, texted('made'))).receipt;
    const command = { type: 'create', record: texted('batched') };
    result(await agent.batch([[there, command]]));
    expect(outcome(await agent.create(sharedScope, texted('outside')))).toBe(refused.forbidden);
    const mixed = await agent.batch([
      [there, command],
      [sharedScope, command],
    ]);
    expect(outcome(mixed)).toBe(refused.forbidden);
    const theirs = await inBranch(writer, { ...sharedOnly, name: 'theirs' });
    const inTheirs = { ...sharedScope, branch: theirs.id };
    expect(outcome(await agent.create(inTheirs, texted('x')))).toBe(refused.forbidden);
    expect(outcome(await agent.batch([[inTheirs, command]]))).toBe(refused.forbidden);
    expect(outcome(await dropBranch(agent, theirs.id))).toBe(refused.forbidden);
    expect(outcome(await merge(agent, id))).toBe(refused.forbidden);
    result(await merge(writer, id, { records: [made.record_id] }));
    result(await dropBranch(agent, id));
    const elsewhere = { ...sharedScope, project_id: 'elsewhere' };
    expect(outcome(await makeBranch(agent, { scopes: [elsewhere] }))).toBe(refused.forbidden);
    const operation = { type: 'create', record: texted('x') };
    expect(outcome(await propose(agent, operation, { scope: elsewhere }))).toBe(refused.forbidden);
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await propose(reader, operation))).toBe(refused.forbidden);
    expect(outcome(await makeBranch(reader))).toBe(refused.forbidden);
  });
});

describe('the right to review', () => {
  // REV-3, REV-6, REV-7, CRD-111
  testCase('REV-C5 is never that of the author, and covers all scopes', async (t) => {
    const rights = ['memory_read', 'memory_propose', 'memory_review'];
    const agent = await t.agent({ capabilities: rights });
    const { id } = await proposed(agent, 'made');
    const { digest } = await compare(agent, id);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const second = await t.agent({ capabilities: rights });
    for (const own of [agent, second]) {
      expect(outcome(await own.call('mergeMemoryBranch', { id, document }))).toBe(
        refused.forbidden,
      );
      expect(outcome(await reject(own, id))).toBe(refused.forbidden);
    }
    const foreign = await (
      await t.foreignAdmin()
    ).appoint({
      subject_id: 'rita',
      capabilities: rights,
      grants: [sharedScope],
    });
    const narrow = await reviewerOf(t, { grants: [scope] });
    for (const other of [foreign, narrow]) {
      expect(outcome(await other.call('mergeMemoryBranch', { id, document }))).toBe(GONE);
      expect(outcome(await reject(other, id))).toBe(GONE);
      expect(await idsOf(other)).toEqual([]);
    }
    const writer = await t.agent({ subject_id: 'wanda' });
    expect(outcome(await writer.call('mergeMemoryBranch', { id, document }))).toBe(
      refused.forbidden,
    );
    expect(outcome(await reject(writer, id))).toBe(refused.forbidden);
    const blind = await reviewerOf(t, { capabilities: ['memory_review'] });
    const listed = await blind.call('listMemoryProposals', { parameters: { contract_version: 1 } });
    expect(outcome(listed)).toBe(refused.forbidden);
    const open = await inBranch(writer, sharedOnly);
    const ofBranch = { ...document, digest: NO_DIGEST };
    const merged = await blind.call('mergeMemoryBranch', { id: open.id, document: ofBranch });
    expect(outcome(merged)).toBe(refused.forbidden);
    result(await blind.call('mergeMemoryBranch', { id, document }));
  });

  // REV-8
  testCase('REV-C11 is that of the moment', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const one = await proposed(agent, 'one');
    const two = await proposed(agent, 'two');
    result(await t.admin.revoke(agent.id, 1));
    result(await merge(rita, one.id));
    const { digest } = await compare(rita, two.id);
    result(await t.admin.revoke(rita.id, 1));
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const late = await rita.call('mergeMemoryBranch', { id: two.id, document });
    expect(outcome(late)).toBe(refused.unauthorized);
    const bob = await reviewerOf(t, { subject_id: 'bob' });
    result(await bob.call('mergeMemoryBranch', { id: two.id, document }));
  });
});

describe('what waits', () => {
  // REV-14, REV-15
  testCase('REV-C9 is listed with its age, the oldest first', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const { id: branch } = await inBranch(await t.agent(), sharedOnly);
    const ids = [];
    for (const text of ['one', 'two', 'three']) {
      ids.push((await proposed(agent, text)).id);
      t.clock.advance(1_000);
    }
    const ages = (await proposalsOf(rita)).items.map((each) => each.age_millis);
    expect(ages).toEqual([3_000, 2_000, 1_000]);
    expect(await idsOf(rita)).toEqual(ids);
    const paged: string[] = [];
    for (let cursor: string | null = null, isFirst = true; isFirst || cursor !== null;) {
      const at: object = cursor === null ? {} : { cursor };
      const page = await proposalsOf(rita, { limit: 1, ...at });
      paged.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
      isFirst = false;
    }
    expect(paged).toEqual(ids);
    expect(paged).not.toContain(branch);
    expect(await idsOf(rita, sharedScope)).toEqual(ids);
    expect(await idsOf(rita, { ...sharedScope, mission_id: 'm' })).toEqual([]);
    result(await reject(rita, ids[1]!));
    t.clock.advance(1_000);
    result(await reject(rita, ids[0]!));
    expect(await idsOf(rita)).toEqual([ids[2]]);
    expect(await idsOf(rita, { state: 'rejected' })).toEqual([ids[1], ids[0]]);
    const parameters = { contract_version: 1, project_id: 'p' };
    const part = await rita.call('listMemoryProposals', { parameters });
    expect(outcome(part)).toBe(refused.invalid);
    const foreign = { contract_version: 1, cursor: 'nonsense' };
    const stale = await rita.call('listMemoryProposals', { parameters: foreign });
    expect(outcome(stale)).toBe(refused.invalid);
  });

  // REV-13
  testCase('REV-C12 is withdrawn by its author, or ends', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const one = await proposed(agent, 'one');
    const two = await proposed(agent, 'two', { expires_in_seconds: 60 });
    const writer = await t.agent({ subject_id: 'wanda' });
    expect(outcome(await dropBranch(writer, one.id))).toBe(refused.forbidden);
    result(await dropBranch(agent, one.id));
    expect(outcome(await getBranch(agent, one.id))).toBe(GONE);
    expect(outcome(await reject(rita, one.id))).toBe(GONE);
    expect(await idsOf(rita)).toEqual([two.id]);
    t.clock.advance(60_000);
    expect(await idsOf(rita)).toEqual([]);
    expect(outcome(await reject(rita, two.id))).toBe(GONE);
    expect(outcome(await getBranch(agent, two.id))).toBe(GONE);
  });
});

describe('the change feed', () => {
  // REV-22
  testCase('REV-C16 says what happened to proposals to who asks', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const { next_after: after } = result(await agent.changes({ after: 'latest' })).page;
    const one = await proposed(agent, 'one');
    const two = await proposed(agent, 'two');
    const { id } = await inBranch(agent, sharedOnly);
    result(await submit(agent, id));
    result(await merge(rita, one.id));
    result(await reject(rita, two.id, 'It is wrong.'));
    const plain = result(await agent.changes({ after })).page;
    expect(Object.keys(plain)).not.toContain('proposals');
    expect(plain.changes.map((each) => each.record_id)).toEqual([one.receipt.record_id]);
    const asked = result(await agent.changes({ after, proposals: 'include' })).page;
    expect(asked.changes).toHaveLength(1);
    const seen = asked.proposals?.map(({ proposal_id, state, reason }) => [
      ...[proposal_id, state],
      reason,
    ]);
    expect(seen).toEqual([
      [one.id, 'proposed', null],
      [two.id, 'proposed', null],
      [id, 'proposed', null],
      [one.id, 'merged', null],
      [two.id, 'rejected', 'It is wrong.'],
    ]);
    const walked: unknown[] = [];
    for (let from = after, hasMore = true; hasMore;) {
      const at = { after: from, limit: 1, proposals: 'include' };
      const { page } = result(await agent.changes(at));
      walked.push(...page.changes.map((each) => each.record_id));
      walked.push(
        ...(page.proposals ?? []).map((each) => [each.proposal_id, each.state, each.reason]),
      );
      ({ next_after: from, has_more: hasMore } = page);
    }
    expect(walked).toEqual([...seen!.slice(0, 3), one.receipt.record_id, ...seen!.slice(3)]);
    const narrow = await reviewerOf(t, { grants: [scope] });
    const hidden = result(await narrow.changes({ after, proposals: 'include' })).page;
    expect(hidden).toMatchObject({ changes: [], proposals: [] });
    const elsewhere = { after, proposals: 'include', ...sharedScope, mission_id: 'm' };
    const wide = await reviewerOf(t, {
      grants: [sharedScope, { ...sharedScope, mission_id: 'm' }],
    });
    expect(result(await wide.changes(elsewhere)).page.proposals).toEqual([]);
    const there = { after, proposals: 'include', ...sharedScope };
    expect(result(await wide.changes(there)).page.proposals).toHaveLength(5);
  });
});
