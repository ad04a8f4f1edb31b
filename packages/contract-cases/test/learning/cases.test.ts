/** Cases of learning (docs/contract/learning.md). */
import { describe, expect } from 'vitest';
import { membersNamed, outcome, refused, result } from '../harness/answer.js';
import { missionScope, scope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { context, definition, failure, proposal, submission, watch } from './learning-documents.js';
import { learner, Learner, lesson, openClass, place } from './learning-fixture.js';

const MISMATCH = 'rejected evidence_or_phase_rejected';

describe('scopes and authority', () => {
  lesson('LRN-C5, LRN-C6 scopes are exact and follow the text rule', async ({ t, author }) => {
    for (const project_id of [' ', 'p'.repeat(257), 'p\n']) {
      expect(outcome(await author.read('c1', { ...place, project_id }))).toBe(refused.invalid);
    }
    const missionless = new Learner(
      await t.agent({ capabilities: ['memory_read'], grants: [scope] }),
    );
    expect(outcome(await missionless.read('c1', missionScope))).toBe(refused.forbidden);
    for (const stray of ['tenant_id', 'actor', 'credential_id', 'evaluator_id']) {
      expect(outcome(await author.read('c1', { ...place, [stray]: 'x' }))).toBe(refused.invalid);
    }
  });

  lesson('LRN-C7 a private procedure is absent for others', async ({ t, author, judge }) => {
    result(await author.propose({}, scope));
    expect(outcome(await author.read('c1', scope))).toBe('200');
    expect(outcome(await judge.read('c1', scope))).toBe(refused.noRecord);
    expect(outcome(await judge.evaluate(submission('x'), 'c1', scope))).toBe(refused.noRecord);
    expect(result(await judge.select({}, scope)).selection.type).toBe('baseline');
    const twin = await learner(t, 'author', ['memory_read']);
    expect(outcome(await twin.read('c1', scope))).toBe('200');
  });

  lesson('LRN-C8 another tenant finds nothing by these ids', async ({ t, author, judge }) => {
    result(await author.propose());
    result(await judge.evaluate(submission('x')));
    const admin = await t.foreignAdmin();
    const foreign = new Learner(
      await admin.appoint({
        subject_id: 'judge',
        capabilities: ['policy_admin', 'memory_read', 'procedure_evaluate'],
        grants: [place],
      }),
    );
    for (const answer of [
      await foreign.caller.call('getLearningPolicy', { id: 'pol' }),
      await foreign.caller.call('getLearningContext', { id: 'ctx' }),
      await foreign.read(),
      await foreign.admission('x'),
      await foreign.evaluate(submission('x')),
      await foreign.select(),
    ]) {
      expect(outcome(answer)).toBe(refused.noRecord);
    }
    const own = result(await foreign.policy('pol')).entry;
    expect(own.tenant).toBe('other');
  });

  lesson('LRN-C9 a replay needs current authority', async ({ t, registrar, author, judge }) => {
    const made = await author.propose();
    const judged = await judge.evaluate(submission('x'));
    const { secret } = result(await t.admin.rotate(author.caller.id, 1));
    expect(await new Learner(author.caller.with(secret)).propose()).toEqual(made);
    result(await t.admin.rescope(judge.caller.id, 1, { grants: [] }));
    expect(outcome(await judge.evaluate(submission('x')))).toBe(refused.forbidden);
    const again = await learner(t, 'judge', ['procedure_evaluate']);
    expect(await again.evaluate(submission('x'))).toEqual(judged);
    for (const { caller } of [author, judge, registrar]) {
      const { revision } = result(await t.admin.inspect(caller.id)).credential;
      result(await t.admin.revoke(caller.id, revision));
    }
    expect(outcome(await author.propose())).toBe(refused.unauthorized);
    expect(outcome(await judge.evaluate(submission('x')))).toBe(refused.unauthorized);
    expect(outcome(await registrar.policy('pol'))).toBe(refused.unauthorized);
  });
});

describe('policies and contexts', () => {
  lesson('LRN-C11 a policy never changes', async ({ t, registrar }) => {
    const first = await registrar.policy('pol');
    expect(outcome(await registrar.policy('pol', { min_improvement: 0.1 }))).toBe(
      refused.otherCommand,
    );
    expect(outcome(await registrar.policy('pol', { confidence_delta: 0.5 }))).toBe(refused.invalid);
    const other = await learner(t, 'somebody', ['policy_admin']);
    expect(await other.policy('pol')).toEqual(first);
    const { entry } = result(first);
    expect(entry.registered_by).toBe(`${registrar.caller.id}:registrar`);
    expect(await other.caller.call('getLearningPolicy', { id: 'pol' })).toMatchObject({
      status: 200,
      body: { entry },
    });
  });

  lesson('LRN-C12, LRN-C64 parameters have limits', async ({ registrar }) => {
    const bad = [
      { qualification_trials: 1 },
      { qualification_trials: 1_000_001 },
      { confidence_delta: 0 },
      { confidence_delta: 0.5 },
      { min_improvement: -0.1 },
      { min_candidate_utility: 1.1 },
      { max_cost_units: -1 },
      { max_cost_units: 2 ** 53 },
      { max_latency_ms: 1.5 },
      { max_failure_streak: 0 },
      { max_failure_streak: 1_000_001 },
      { evaluator_id: ' ' },
      { evaluation_contract: 'x'.repeat(513) },
      { extra: 1 },
    ];
    for (const members of bad) {
      const at = JSON.stringify(members);
      expect(outcome(await registrar.policy('bad', members)), at).toBe(refused.invalid);
    }
    const good = [
      { qualification_trials: 2, confidence_delta: Number.MIN_VALUE, min_improvement: 1 },
      { qualification_trials: 1_000_000, max_cost_units: 0, max_latency_ms: 2 ** 53 - 1 },
      { max_failure_streak: 1_000_000, evaluator_id: 'a\n\0b', min_candidate_utility: 0 },
    ];
    for (const [index, members] of good.entries()) {
      expect(outcome(await registrar.policy(`good ${String(index)}`, members))).toBe('200');
    }
    const algorithm = { ...definition(), algorithm: 'other' };
    const document = { contract_version: 1, id: 'x', definition: algorithm };
    const answer = await registrar.caller.call('registerLearningPolicy', { document });
    expect(outcome(answer)).toBe(refused.invalid);
  });

  lesson('LRN-C13 policies and contexts have separate ids', async ({ registrar }) => {
    expect(outcome(await registrar.policy('same'))).toBe('200');
    expect(outcome(await registrar.context('same'))).toBe('200');
  });

  lesson('LRN-C14, LRN-64 the order of members does not matter', async ({ registrar }) => {
    const first = await registrar.context('ctx');
    const turned = Object.fromEntries(Object.entries(context()).reverse());
    const document = {
      context: { ...turned, tools: { read: 'v2', search: 'v1' } },
      id: 'ctx',
      contract_version: 1,
    };
    expect(await registrar.caller.call('registerLearningContext', { document })).toEqual(first);
    const other = await registrar.context('ctx', { tools: { search: 'v1' } });
    expect(outcome(other)).toBe(refused.otherCommand);
    const twin = result(await registrar.context('ctx-2')).entry;
    expect(twin.payload_digest).toBe(result(first).entry.payload_digest);
    expect(outcome(await registrar.context('none', { tools: {} }))).toBe('200');
    const many = Object.fromEntries(
      Array.from({ length: 129 }, (_, at) => [`t${String(at)}`, 'v']),
    );
    expect(outcome(await registrar.context('many', { tools: many }))).toBe(refused.invalid);
  });

  lesson('LRN-C15, LRN-123 an unknown id is 404, a malformed one 400', async ({ registrar }) => {
    for (const name of ['getLearningPolicy', 'getLearningContext'] as const) {
      const get = async (id: string) => outcome(await registrar.caller.call(name, { id }));
      expect(await get('nothing')).toBe(refused.noRecord);
      expect(await get('x'.repeat(512))).toBe(refused.noRecord);
      expect(await get('x'.repeat(513))).toBe(refused.invalid);
      expect(await get(' ')).toBe(refused.invalid);
    }
    const odd = 'a/b %2F ü\n';
    const { entry } = result(await registrar.policy(odd));
    const answer = await registrar.caller.call('getLearningPolicy', { id: odd });
    expect(result(answer).entry).toEqual(entry);
  });
});

describe('proposals', () => {
  lesson('LRN-C16 a learning policy and a context must match', async ({ registrar, author }) => {
    result(await registrar.context('other', { evaluation_contract: 'bench-v2' }));
    expect(outcome(await author.propose({ context_id: 'other' }))).toBe(refused.invalid);
    expect(outcome(await author.select({ context_id: 'other' }))).toBe(refused.invalid);
  });

  lesson('LRN-C17 thresholds come only from the learning policy', async ({ author }) => {
    expect(outcome(await author.propose({ policy: {} }))).toBe(refused.invalid);
    expect(outcome(await author.propose({ task: 'x' }))).toBe(refused.invalid);
  });

  lesson('LRN-C18 sources are 1 to 128', async ({ author }) => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `s${String(at)}`);
    for (const source_refs of [[], many(129), [' '], ['x'.repeat(2_049)]]) {
      expect(outcome(await author.propose({ source_refs }))).toBe(refused.invalid);
    }
    expect(outcome(await author.propose({ source_refs: many(128) }))).toBe('200');
  });

  lesson(
    'LRN-C19, LRN-23, LRN-28, LRN-67 an id names one proposal',
    async ({ t, registrar, author }) => {
      const made = await author.propose();
      result(await registrar.context('ctx-2'));
      for (const members of [
        { context_id: 'ctx-2' },
        { instructions: ' ' },
        { source_refs: [] },
        { policy_id: 'nothing' },
        { policy_id: ' ' },
      ]) {
        expect(outcome(await author.propose(members))).toBe(refused.otherCommand);
      }
      const other = await learner(t, 'bob', ['procedure_propose']);
      expect(await other.propose()).toEqual(made);
      expect(result(made).receipt).toMatchObject({
        schema_version: 1,
        tenant: 'acme',
        request: proposal(),
        actor: `${author.caller.id}:author`,
        record: {
          state: 'Candidate',
          proposal: { task: 'summarise', baseline_revision: 'base-1' },
        },
      });
    },
  );

  lesson('LRN-130 a policy or context that is absent is named', async ({ author }) => {
    for (const [member, ask] of [
      ['policy_id', { policy_id: 'absent' }],
      ['context_id', { context_id: 'absent' }],
    ] as const) {
      const proposed = await author.propose({ id: 'c2', ...ask });
      expect(outcome(proposed)).toBe(refused.noRecord);
      expect(membersNamed(proposed)).toEqual([`proposal.${member}`]);
      expect(membersNamed(await author.select(ask))).toEqual([member]);
    }
  });

  lesson(
    'LRN-C20, LRN-72, LRN-116 the receipt of a proposal is frozen',
    async ({ author, judge }) => {
      const made = await author.propose();
      await judge.qualify(4);
      expect(await author.propose()).toEqual(made);
      const { receipt, record } = result(await author.read()).procedure;
      expect(receipt).toEqual(result(made).receipt);
      expect(receipt.record).toMatchObject({ state: 'Candidate', qualification_count: 0 });
      expect(record).toMatchObject({ state: 'Active', qualification_count: 4 });
    },
  );
});

describe('evaluations', () => {
  lesson('LRN-C21 only the evaluator evaluates, and sees what is absent', async ({ t, author }) => {
    result(await author.propose());
    const other = await learner(t, 'other', ['procedure_evaluate']);
    expect(outcome(await other.evaluate(submission('x')))).toBe(refused.forbidden);
    expect(outcome(await other.evaluate(submission('x'), 'absent'))).toBe(refused.noRecord);
    expect((await author.record()).qualification_count).toBe(0);
  });

  lesson(
    'LRN-C22, LRN-C23, LRN-C25, LRN-C26 rejected evaluations are recorded too',
    async ({ author, judge }) => {
      result(await author.propose());
      // LRN-95, LRN-96, LRN-97, LRN-98, LRN-100: outcomes and reasons; LRN-74, LRN-104, LRN-106.
      const rows: [Record<string, unknown>, string][] = [
        [{ candidate_cost_units: null }, 'unknown_consumption consumption_unknown'],
        [{ candidate_latency_ms: undefined }, 'unknown_consumption consumption_unknown'],
        [{ candidate_utility: 1.2 }, MISMATCH],
        [{ baseline_utility: -0.1 }, MISMATCH],
        [{ baseline_utility: null }, 'incomplete utility_unknown'],
        [{ evidence_ref: 'trace-9' }, MISMATCH],
        [{ phase: 'Monitoring' }, MISMATCH],
        [{ baseline_revision: 'base-2', status: 'cancelled' }, 'rejected contract_mismatch'],
        [{ policy_id: 'pol-2' }, 'rejected contract_mismatch'],
        [{ status: 'rejected' }, 'rejected evaluator_rejected'],
        [{ status: 'incomplete' }, 'incomplete incomplete_evidence'],
        [{ status: 'cancelled' }, 'cancelled evaluator_reported_cancelled'],
        [{ status: 'pending_or_unknown' }, 'pending_or_unknown outcome_unknown'],
      ];
      for (const [index, [members, expected]] of rows.entries()) {
        const { candidate_latency_ms, ...sent } = submission(`case ${String(index)}`, members);
        const known = candidate_latency_ms === undefined ? {} : { candidate_latency_ms };
        const answer = await judge.evaluate({ ...sent, ...known });
        const { receipt } = result(answer);
        expect(`${receipt.outcome} ${receipt.reason}`, JSON.stringify(members)).toBe(expected);
        expect(receipt).toMatchObject({ state_after: 'Candidate', evaluation: null });
        expect(await author.admission(`case ${String(index)}`)).toEqual({
          ...answer,
          operation: 'readEvaluationAdmission',
        });
        const changed = await judge.evaluate(
          submission(`case ${String(index)}`, { detail: 'new' }),
        );
        expect(outcome(changed)).toBe(refused.otherCommand);
      }
      const { record } = result(await author.read()).procedure;
      expect(record).toEqual(result(await author.propose()).receipt.record);
      await judge.qualify(4);
      expect(await judge.admitted(submission('late'))).toBe(MISMATCH);
    },
  );

  lesson('LRN-C24 evidence counts once', async ({ author, judge }) => {
    result(await author.propose());
    const evidence = { evidence_ref: 'shared evidence' };
    const refusedFirst = { ...evidence, candidate_cost_units: null };
    result(await judge.evaluate(submission('a', refusedFirst)));
    expect(await judge.admitted(submission('b', evidence))).toBe('accepted accepted');
    expect(await judge.admitted(submission('c', evidence))).toBe(MISMATCH);
    expect((await author.record()).qualification_count).toBe(1);
  });

  testCase(
    'LRN-C27, LRN-102, LRN-112, LRN-115 perfect trials qualify at the last one',
    async (t) => {
      const { author, judge } = await openClass(t, {
        qualification_trials: 32,
        confidence_delta: 0.01,
        min_improvement: 0.05,
      });
      result(await author.propose());
      await judge.qualify(31);
      expect(await author.record()).toMatchObject({ state: 'Candidate', decisions: [] });
      const last = result(await judge.evaluate(submission('last'))).receipt;
      expect(last).toMatchObject({ outcome: 'accepted', state_after: 'Active' });
      const record = await author.record();
      expect(record).toMatchObject({
        state: 'Active',
        qualification_count: 32,
        mean_improvement: 1,
        decisions: [{ from: 'Candidate', to: 'Active', triggering_case: 'last' }],
      });
      expect(record.lower_improvement_bound).toBeCloseTo(0.4635, 4);
    },
  );

  testCase('LRN-C28 one trial over a budget is enough to be rejected', async (t) => {
    const { author, judge } = await openClass(t, {
      qualification_trials: 32,
      confidence_delta: 0.01,
      min_improvement: 0.05,
    });
    result(await author.propose());
    result(await judge.evaluate(submission('dear', { candidate_cost_units: 11 })));
    await judge.qualify(31);
    const record = await author.record();
    expect(record).toMatchObject({ state: 'Rejected', budget_violations: 1 });
    expect(record.lower_improvement_bound).toBeCloseTo(0.4635, 4);
    expect(await judge.admitted(submission('more'))).toBe(MISMATCH);
    expect(await judge.admitted(watch('watch'))).toBe(MISMATCH);
  });

  lesson('LRN-C29, LRN-C30 consecutive failures suspend for good', async ({ author, judge }) => {
    result(await author.propose());
    await judge.qualify(4);
    for (const it of [failure('m1'), failure('m2'), watch('m3'), failure('m4')]) {
      expect(await judge.admitted(it)).toBe('accepted accepted');
    }
    expect(await author.record()).toMatchObject({
      state: 'Active',
      failure_streak: 1,
      monitoring_count: 4,
    });
    expect(await author.selected()).toBe('c1');
    result(await judge.evaluate(failure('m5')));
    expect(result(await judge.evaluate(failure('m6'))).receipt.state_after).toBe('Suspended');
    expect(await author.record()).toMatchObject({ state: 'Suspended', failure_streak: 3 });
    expect(await judge.admitted(watch('m7'))).toBe(MISMATCH);
    expect(await judge.admitted(submission('m8'))).toBe(MISMATCH);
    expect(await author.selected()).toBe('baseline base-1');
    expect((await author.record()).decisions).toHaveLength(2);
  });
});
