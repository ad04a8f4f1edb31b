/**
 * How many proposals wait, and withdrawals of all of an author (docs/contract/review.md#rev-12).
 */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { sharedScope } from '../harness/documents.js';
import { testCase, type Fixture } from '../harness/fixture.js';
import { compare, dropBranch, getBranch, inBranch, merge, texted } from '../branches/harness.js';
import {
  idsOf,
  propose,
  proposed,
  proposerOf,
  reject,
  reviewerOf,
  submit,
  withdrawAll,
} from './harness.js';

const FULL = '409 branch_limit';
const GONE = '404 branch_not_found';
const OF_SUBJECT = 64;
const OF_SERVICE = 128;
const OF_SCOPE = 256;
const sharedOnly = { scopes: [sharedScope] };

const one = (agent: Caller) => propose(agent, { type: 'create', record: texted('one') });

/** Proposes several records; returns the ids of the proposals. */
async function several(agent: Caller, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await proposed(agent, `r${n}`)).id);
  return ids;
}

/** Returns a service that proposes for others, and itself for one of them. */
async function serviceOf(t: Fixture) {
  const capabilities = ['memory_read', 'memory_propose', 'act_for'];
  const service = await t.agent({ subject_id: 'support', capabilities, act_for: { mode: 'all' } });
  const actingFor = async (subject_id: string): Promise<Caller> => {
    const document = { contract_version: 1, subject_id };
    const answer = await service.call('issueSubjectToken', { document });
    return service.with(result(answer).access_token);
  };
  return { service, actingFor };
}

describe('the places of proposals', () => {
  // REV-12, REV-13
  testCase('REV-C10 are shared by subjects, and free at once', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const ids = await several(agent, OF_SUBJECT);
    expect(outcome(await one(agent))).toBe(FULL);
    expect(outcome(await one(await proposerOf(t)))).toBe(FULL);
    const { id } = await inBranch(agent, sharedOnly);
    expect(outcome(await submit(agent, id))).toBe(FULL);
    result(await one(await proposerOf(t, { subject_id: 'bob' })));
    result(await reject(rita, ids[0]!));
    result(await one(agent));
    expect(outcome(await one(agent))).toBe(FULL);
    result(await dropBranch(agent, ids[1]!));
    result(await submit(agent, id));
    expect(outcome(await one(agent))).toBe(FULL);
    result(await merge(rita, ids[2]!));
    result(await one(agent));
    expect(outcome(await one(agent))).toBe(FULL);
  });

  // REV-12
  testCase('REV-C29 are 256 over a scope for all subjects together', async (t) => {
    const agents: Caller[] = [];
    for (const subject_id of ['s0', 's1', 's2', 's3']) {
      agents.push(await proposerOf(t, { subject_id }));
    }
    for (const agent of agents) await several(agent, OF_SCOPE / 4);
    const late = await proposerOf(t, { subject_id: 'late' });
    expect(outcome(await one(late))).toBe(FULL);
    const elsewhere = { ...sharedScope, mission_id: 'm' };
    const wide = await proposerOf(t, { subject_id: 'late', grants: [elsewhere] });
    const create = { type: 'create', record: texted('one') };
    result(await propose(wide, create, { scope: elsewhere }));
  });

  // REV-12
  testCase('REV-C30 are shared by services, whatever the subject', async (t) => {
    const { actingFor } = await serviceOf(t);
    await several(await actingFor('u1'), OF_SUBJECT);
    expect(outcome(await one(await actingFor('u1')))).toBe(FULL);
    await several(await actingFor('u2'), OF_SERVICE - OF_SUBJECT);
    expect(outcome(await one(await actingFor('u3')))).toBe(FULL);
    result(await one(await proposerOf(t, { subject_id: 'u3' })));
  });

  // REV-12, REV-13
  testCase('REV-C31 are free when a proposal ends by time', async (t) => {
    const agent = await proposerOf(t);
    for (let n = 0; n < OF_SUBJECT; n += 1) {
      await proposed(agent, `r${n}`, { expires_in_seconds: n === 7 ? 60 : 3_600 });
    }
    expect(outcome(await one(agent))).toBe(FULL);
    t.clock.advance(60_000);
    result(await one(agent));
    expect(outcome(await one(agent))).toBe(FULL);
  });
});

describe('an administrator', () => {
  // REV-26, REV-27, REV-13
  testCase('REV-C32 withdraws all proposals of an author', async (t) => {
    const agent = await proposerOf(t);
    const rita = await reviewerOf(t);
    const bob = await proposerOf(t, { subject_id: 'bob' });
    const ids = await several(agent, OF_SUBJECT);
    const ofBob = await proposed(bob, 'of bob');
    const { digest } = await compare(rita, ids[0]!);
    expect(outcome(await withdrawAll(agent, 'alice'))).toBe(refused.forbidden);
    expect(outcome(await withdrawAll(rita, 'alice'))).toBe(refused.forbidden);
    expect(outcome(await withdrawAll(t.admin, ''))).toBe(refused.invalid);
    const foreign = await t.foreignAdmin();
    expect(result(await withdrawAll(foreign, 'alice')).withdrawn).toBe(0);
    expect(result(await withdrawAll(t.admin, 'nobody')).withdrawn).toBe(0);
    expect(result(await withdrawAll(t.admin, 'alice')).withdrawn).toBe(OF_SUBJECT);
    expect(await idsOf(rita)).toEqual([ofBob.id]);
    expect(outcome(await getBranch(agent, ids[0]!))).toBe(GONE);
    expect(outcome(await reject(rita, ids[1]!))).toBe(GONE);
    const document = { contract_version: 1, idempotency_key: 'm', digest };
    const late = await rita.call('mergeMemoryBranch', { id: ids[0], document });
    expect(outcome(late)).toBe(GONE);
    expect(result(await withdrawAll(t.admin, 'alice')).withdrawn).toBe(0);
    result(await one(agent));
  });

  // REV-27
  testCase('REV-C33 withdraws what a service proposed for others', async (t) => {
    const { actingFor } = await serviceOf(t);
    const ofUser = await proposed(await actingFor('u1'), 'of a service');
    const own = await proposed(await proposerOf(t, { subject_id: 'u1' }), 'of the user');
    expect(result(await withdrawAll(t.admin, 'support')).withdrawn).toBe(1);
    const rita = await reviewerOf(t);
    expect(await idsOf(rita)).toEqual([own.id]);
    expect(outcome(await getBranch(rita, ofUser.id))).toBe(GONE);
    expect(result(await withdrawAll(t.admin, 'u1')).withdrawn).toBe(1);
  });
});
