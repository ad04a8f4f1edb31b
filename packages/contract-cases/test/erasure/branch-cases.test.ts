/** Cases of branches and proposals of an erased subject (docs/contract/erasure.md). */
import { verifyErasureOfStore } from '@agentkeep/core/operator';
import { expect } from 'vitest';
import { outcome, result } from '../harness/answer.js';
import { sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { compare, getBranch, makeBranch } from '../branches/harness.js';
import { idsOf, proposed, proposerOf, reviewerOf } from '../review/harness.js';
import { erased, ofSubject } from './erasure-kit.js';
import { textsLeftIn } from './search-kit.js';

const subject = 'alice-of-wonderland';

async function reportOf(t: Fixture) {
  const target = { kind: 'subject', subject_id: subject } as const;
  const { status, families } = await verifyErasureOfStore(t.store, { tenantId: 'acme', target });
  return { status, left: families.filter(({ left }) => left > 0) };
}

// ERA-10
testCase('ERA-C19 what the subject proposed is withdrawn, and nobody can merge it', async (t) => {
  const alice = await proposerOf(t, { subject_id: subject });
  const rita = await reviewerOf(t);
  const { id } = await proposed(alice, 'canary-of-a-draft');
  const other = await proposed(await proposerOf(t, { subject_id: 'bob' }), 'of bob');
  const { digest } = await compare(rita, id);
  await erased(t, ofSubject(subject));
  expect(await reportOf(t)).toEqual({ status: 'clean', left: [] });
  const document = { contract_version: 1, idempotency_key: 'm', digest };
  expect(outcome(await rita.call('mergeMemoryBranch', { id, document }))).toBe(
    '404 branch_not_found',
  );
  expect(await idsOf(rita)).toEqual([other.id]);
  expect(await textsLeftIn(t, ['canary-of-a-draft', subject])).toEqual([]);
});

// ERA-10
testCase('ERA-C19 a branch of the subject over a shared scope loses its name', async (t) => {
  const alice = await t.agent({ subject_id: subject });
  const bob = await t.agent({ subject_id: 'bob' });
  const made = result(await makeBranch(alice, { name: 'canary-of-a-name', scopes: [sharedScope] }));
  const { id } = made.branch;
  const { pseudonym } = await erased(t, ofSubject(subject));
  expect(await reportOf(t)).toEqual({ status: 'clean', left: [] });
  const { branch } = result(await getBranch(bob, id));
  expect(branch).toMatchObject({ name: id, purpose: null, author: { subject_id: pseudonym } });
  expect(await textsLeftIn(t, ['canary-of-a-name', subject])).toEqual([]);
});
