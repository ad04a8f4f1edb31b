/** What the documents of learning are, and what they accept (docs/contract/learning.md). */
import { describe, expect } from 'vitest';
import { errorCatalogue, operations } from '@agentkeep/core';
import { outcome, refused, result } from '../harness/answer.js';
import { missionScope, scope, ungranted } from '../harness/documents.js';
import { context, definition, proposal, submission } from './learning-documents.js';
import { learner, lesson, place } from './learning-fixture.js';

const HEX64 = /^[0-9a-f]{64}$/u;

describe('shared rules', () => {
  lesson('CON-103, CON-78 every object is closed', async ({ registrar, author, judge }) => {
    result(await author.propose());
    const stray = { stray: 1 };
    const entry = { contract_version: 1, id: 'x', definition: { ...definition(), ...stray } };
    for (const answer of [
      await registrar.policy('x', stray),
      await registrar.caller.call('registerLearningPolicy', { document: entry }),
      await registrar.context('x', stray),
      await author.propose(stray),
      await author.read('c1', { ...place, ...stray }),
      await judge.evaluate(submission('x', stray)),
      await judge.select(stray),
    ]) {
      expect(outcome(answer)).toBe(refused.invalid);
    }
  });

  lesson('LRN-2 a success is 200, also when nothing was accepted', async ({ author, judge }) => {
    const made = await author.propose();
    const refusedTrial = await judge.evaluate(submission('x', { status: 'cancelled' }));
    for (const answer of [made, await author.propose(), await author.read(), refusedTrial]) {
      expect(answer.status).toBe(200);
    }
    expect(result(refusedTrial).receipt.outcome).toBe('cancelled');
  });

  lesson('CON-109 omitted is null, also in a replay', async ({ author, judge }) => {
    result(await author.propose());
    const without = Object.fromEntries(
      Object.entries(submission('x')).filter(([name]) => name !== 'detail'),
    );
    const first = await judge.evaluate(without);
    expect(await judge.evaluate({ ...without, detail: null })).toEqual(first);
    expect(result(first).receipt.submission).toMatchObject({ detail: null });
    // CRD-27
    expect(await author.read('c1', { ...place, mission_id: null })).toEqual(await author.read());
  });

  lesson('CON-146 times are those of the server', async ({ t, author, judge }) => {
    result(await author.propose());
    const first = result(await judge.evaluate(submission('x'))).receipt;
    expect(first.recorded_at_millis).toBe(t.clock.now());
    t.clock.advance(60_000);
    const later = result(await judge.evaluate(submission('y'))).receipt;
    expect(later.recorded_at_millis).toBe(first.recorded_at_millis + 60_000);
  });

  lesson('CON-143, LRN-62 text(512) is bytes, not blank, and kept as it is', async (parties) => {
    const { registrar } = parties;
    const kept = [' padded ', 'a\u0000b', 'é'.repeat(256)];
    for (const id of kept) {
      result(await registrar.policy(id));
      const read = await registrar.caller.call('getLearningPolicy', { id });
      expect(result(read).entry.id).toBe(id);
    }
    for (const id of ['\u00a0 ', '', `${'é'.repeat(256)}x`]) {
      expect(outcome(await registrar.policy(id))).toBe(refused.invalid);
    }
  });

  lesson('MEM-6 a shared scope is one namespace for all who are granted', async (parties) => {
    const { t, author } = parties;
    result(await author.propose());
    const other = await learner(t, 'bob', ['memory_read']);
    expect(await other.read()).toEqual(await author.read());
  });

  lesson('LRN-22 policies and contexts need no grant', async ({ t }) => {
    const agent = await t.agent({ subject_id: 'bare', capabilities: ['policy_admin'], grants: [] });
    const document = { contract_version: 1, id: 'bare', context: context() };
    result(await agent.call('registerLearningContext', { document }));
    expect(outcome(await agent.call('getLearningPolicy', { id: 'pol' }))).toBe('200');
  });

  lesson('LRN-39 members and types belong to the body, bounds do not', async ({ author }) => {
    const long = 'x'.repeat(513);
    const read = (procedure_id: unknown, members: object = {}) => {
      const document = { contract_version: 1, scope: ungranted, procedure_id, ...members };
      return author.caller.call('readProcedure', { document });
    };
    expect(outcome(await read('c1', { stray: 1 }))).toBe(refused.invalid);
    expect(outcome(await read(7))).toBe(refused.invalid);
    expect(outcome(await read(long))).toBe(refused.forbidden);
    expect(outcome(await author.read(long))).toBe(refused.invalid);
  });

  lesson('CON-80 another contract version is refused', async ({ author }) => {
    const document = { contract_version: 2, scope: place, proposal: proposal() };
    expect(outcome(await author.caller.call('proposeProcedure', { document }))).toBe(
      refused.version,
    );
  });

  lesson('LRL-6, LRN-84, LRN-121 there are no other operations', async ({ author, judge }) => {
    const learning = Object.values(operations).filter(({ tag }) => tag === 'Learning');
    expect(learning.map(({ name }) => name).toSorted()).toEqual(
      [
        ...['registerLearningPolicy', 'getLearningPolicy'],
        ...['registerLearningContext', 'getLearningContext'],
        ...['proposeProcedure', 'readProcedure', 'admitEvaluation'],
        ...['readEvaluationAdmission', 'selectProcedure'],
        // LRL-1, LRL-2, LRL-14, LRL-15
        ...['listProcedures', 'listEvaluations'],
        ...['listLearningPolicies', 'listLearningContexts'],
      ].toSorted(),
    );
    for (const { name, errors } of learning) {
      // LRN-128, LRN-129
      const codes: readonly string[] = errors;
      expect(codes.includes('revision_conflict'), name).toBe(false);
      const isRegistration = name.startsWith('register');
      const names = !isRegistration && (!name.startsWith('list') || name === 'listEvaluations');
      expect(codes.includes('record_not_found'), name).toBe(names);
      const isWrite = isRegistration || name === 'proposeProcedure' || name === 'admitEvaluation';
      expect(codes.includes('idempotency_conflict'), name).toBe(isWrite);
    }
    expect(errorCatalogue.idempotency_conflict.kind).toBe('conflict');
    result(await author.propose());
    await judge.qualify(4);
    const before = await author.read();
    const first = await judge.select();
    expect(await judge.select()).toEqual(first);
    expect(first.body).not.toHaveProperty('next_cursor');
    expect(await author.read()).toEqual(before);
  });
});

describe('entries', () => {
  lesson(
    'LRN-65, LRN-27, CON-145 show what was registered, by whom and when',
    async ({ registrar }) => {
      const { entry } = result(await registrar.policy('pol'));
      const registered_by = `${registrar.caller.id}:registrar`;
      expect(entry).toEqual({
        ...{ schema_version: 1, tenant: 'acme', id: 'pol', payload: definition(), registered_by },
        payload_digest: expect.stringMatching(HEX64) as unknown,
        recorded_at_millis: expect.any(Number) as unknown,
      });
      const other = result(await registrar.context('ctx')).entry;
      expect(other).toMatchObject({ id: 'ctx', payload: context(), registered_by });
    },
  );
});

describe('procedures', () => {
  lesson('LRN-68, LRN-27 are born as the table says', async ({ registrar, author }) => {
    const { receipt } = result(await author.propose());
    const policy = result(await registrar.policy('pol')).entry;
    const bound = result(await registrar.context('ctx')).entry;
    expect(receipt).toMatchObject({
      policy_digest: policy.payload_digest,
      context_digest: bound.payload_digest,
    });
    const { scope: place_, proposal: proposed, ...born } = receipt.record;
    expect(born).toMatchObject({
      ...{ state: 'Candidate', qualification_count: 0, mean_improvement: 0 },
      ...{ mean_candidate_utility: 0, budget_violations: 0, lower_improvement_bound: null },
      ...{ monitoring_count: 0, failure_streak: 0, decisions: [] },
    });
    expect(proposed).toMatchObject({
      ...{ id: 'c1', task: 'summarise', baseline_revision: 'base-1', source_refs: ['trace-9'] },
      policy: definition()['parameters'],
    });
    expect(place_).toMatchObject({
      agent: expect.stringMatching(/^scope-sha256:[0-9a-f]{64}$/u) as unknown,
      environment: expect.stringMatching(/^contract-sha256:[0-9a-f]{64}$/u) as unknown,
    });
  });

  lesson('LRN-69 name scope and contract by digests', async ({ registrar, author }) => {
    result(await registrar.context('ctx-2', { task: 'other' }));
    const scopeOf = async (members: object, at: unknown) =>
      result(await author.propose({ ...members }, at)).receipt.record.scope;
    const one = await scopeOf({}, place);
    const same = await scopeOf({ id: 'c2' }, place);
    const elsewhere = await scopeOf({}, missionScope);
    const otherContract = await scopeOf({ id: 'c3', context_id: 'ctx-2' }, place);
    expect(same).toEqual(one);
    expect(elsewhere.agent).not.toBe(one.agent);
    expect(elsewhere.environment).toBe(one.environment);
    expect(otherContract.agent).toBe(one.agent);
    expect(otherContract.environment).not.toBe(one.environment);
  });

  lesson('LRN-71, LRN-73, LRN-76 ids are text(512), and an absent one is 404', async (parties) => {
    const { author, judge } = parties;
    result(await author.propose());
    const long = 'x'.repeat(513);
    for (const answer of [
      await author.read(long),
      await author.read(' '),
      await author.admission(long),
      await judge.evaluate(submission('x'), long),
      await judge.evaluate(submission(long)),
      await judge.evaluate(submission('x', { evidence_ref: 'x'.repeat(2_049) })),
      await judge.evaluate(submission('x', { detail: 'x'.repeat(2_049) })),
      await judge.evaluate(submission('x', { phase: 'Other' })),
      await judge.evaluate(submission('x', { status: 'done' })),
      await judge.evaluate(submission('x', { candidate_cost_units: -1 })),
    ]) {
      expect(outcome(answer)).toBe(refused.invalid);
    }
    expect(outcome(await author.read('absent'))).toBe(refused.noRecord);
    expect(outcome(await author.admission('absent'))).toBe(refused.noRecord);
    expect(outcome(await author.admission('x', 'absent'))).toBe(refused.noRecord);
  });

  lesson('LRN-75, LRN-76 an accepted evaluation is shown as it was', async ({ author, judge }) => {
    result(await author.propose());
    const { receipt } = result(await judge.evaluate(submission('x')));
    const { case_id, phase, evidence_ref, ...numbers } = submission('x');
    const { baseline_utility, candidate_utility } = numbers;
    const { candidate_cost_units, candidate_latency_ms } = numbers;
    const named = { evaluator_id: 'judge', evaluation_contract: 'bench-v1' };
    expect(receipt.evaluation).toEqual({
      evaluation: {
        ...{ case_id, phase, evidence_ref, ...named, baseline_utility, candidate_utility },
        ...{ candidate_cost_units, candidate_latency_ms },
      },
      state_after: 'Candidate',
      recorded_at_millis: receipt.recorded_at_millis,
    });
    expect(result(await author.admission('x')).receipt).toEqual(receipt);
  });

  lesson('LRN-78 a choice is the procedure as it is read', async ({ author, judge }) => {
    result(await author.propose());
    await judge.qualify(4);
    const { policy_id, context_id, selection } = result(await author.select());
    const { procedure } = result(await author.read());
    expect([policy_id, context_id]).toEqual(['pol', 'ctx']);
    expect(selection).toEqual({ type: 'procedure', procedure });
  });

  lesson('LRN-87, LRN-88, LRN-48 an id names one proposal in its namespace', async (parties) => {
    const { registrar, author } = parties;
    result(await registrar.policy('pol-2'));
    const sources = { source_refs: ['a', 'b'] };
    const first = await author.propose(sources);
    expect(await author.propose(sources)).toEqual(first);
    for (const members of [{ source_refs: ['b', 'a'] }, { ...sources, policy_id: 'pol-2' }]) {
      expect(outcome(await author.propose(members))).toBe(refused.otherCommand);
    }
    expect(outcome(await author.propose({ source_refs: ['b', 'a'] }, scope))).toBe('200');
  });

  lesson('LRN-114 the bound of a worthless candidate is -1', async ({ author, judge }) => {
    result(await author.propose());
    await judge.qualify(4, 'c1', { baseline_utility: 1, candidate_utility: 0 });
    const record = await author.record();
    expect(record).toMatchObject({ state: 'Rejected', lower_improvement_bound: -1 });
  });
});
