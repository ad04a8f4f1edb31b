/** Digests of stored documents are verified: intact bytes with wrong content are never returned. */
import { evaluationContext, evaluationPolicy } from '@agentkeep/testkit/evaluation';
import { testStore } from '@agentkeep/testkit/test-store';
import { expect, test } from 'vitest';
import { learningAdmissions } from '../procedure/admission-store.js';
import {
  contextDigest,
  findLearningPolicy,
  policyDigest,
  learningPolicies,
} from './entry-store.js';
import { learningProposals } from '../procedure/procedure-store.js';
import type { EvaluationContext } from './schema.js';

const definition = evaluationPolicy();
const context = evaluationContext({ tools: { one: '1', two: '2' } });
const wrong = '0'.repeat(64);
const known = { registeredBy: 'c:s', recordedAtMillis: 1 };
const digest = Buffer.alloc(32);
const inconsistent = expect.objectContaining({ code: 'storage_inconsistency' });

test('a digest covers every member, independent of formatting', () => {
  const turned = Object.fromEntries(Object.entries(context).reverse()) as EvaluationContext;
  expect(contextDigest({ ...turned, tools: { two: '2', one: '1' } })).toBe(contextDigest(context));
  for (const member of Object.keys(context).filter((name) => name !== 'tools')) {
    expect(contextDigest({ ...context, [member]: 'x' })).not.toBe(contextDigest(context));
  }
  expect(contextDigest({ ...context, tools: { one: '2', two: '1' } })).not.toBe(
    contextDigest(context),
  );
  for (const member of Object.keys(definition.parameters)) {
    const changed = { ...definition.parameters, [member]: 0.25 };
    expect(policyDigest({ ...definition, parameters: changed })).not.toBe(policyDigest(definition));
  }
});

test('an entry with a wrong digest is refused', async () => {
  const store = testStore();
  await store.transact((tx) => {
    const policies = learningPolicies;
    const entry = { payload: definition, payloadDigest: policyDigest(definition), ...known };
    policies.put(tx, entry, 't', 'good');
    policies.put(tx, { ...entry, payloadDigest: wrong }, 't', 'bad');
  });
  expect(await store.read((tx) => findLearningPolicy(tx, 't', 'good')?.payload)).toEqual(
    definition,
  );
  await expect(store.read((tx) => findLearningPolicy(tx, 't', 'bad'))).rejects.toEqual(
    inconsistent,
  );
});

test('a proposal and a submission with a wrong digest are refused', async () => {
  const store = testStore();
  const proposals = learningProposals;
  const admissions = learningAdmissions;
  await store.transact((tx) => {
    const request = {
      id: 'c',
      policy_id: 'p',
      context_id: 'x',
      instructions: 'i',
      source_refs: ['s'],
    };
    const digests = { fingerprint: wrong, policyDigest: wrong, contextDigest: wrong };
    proposals.put(tx, { request, ...digests, actor: 'c:s', createdAtMillis: 1 }, 't', digest, 'c');
    const submission = {
      case_id: 'k',
      phase: 'Qualification' as const,
      policy_id: 'p',
      context_id: 'x',
      baseline_revision: 'b',
      evidence_ref: 'e',
      status: 'cancelled' as const,
      baseline_utility: null,
      candidate_utility: null,
      candidate_cost_units: null,
      candidate_latency_ms: null,
      detail: null,
    };
    const admission = {
      submission,
      fingerprint: wrong,
      outcome: 'cancelled' as const,
      reason: 'evaluator_reported_cancelled' as const,
      stateAfter: 'Candidate' as const,
      actor: { subject_id: 's', credential_id: 'c' },
      recordedAtMillis: 1,
    };
    admissions.put(tx, admission, 't', digest, digest, 'k');
  });
  await expect(store.read((tx) => proposals.get(tx, 't', digest, 'c'))).rejects.toEqual(
    inconsistent,
  );
  await expect(store.read((tx) => admissions.get(tx, 't', digest, digest, 'k'))).rejects.toEqual(
    inconsistent,
  );
});
