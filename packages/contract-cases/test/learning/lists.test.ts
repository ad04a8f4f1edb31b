/** Cases of the lists of learning (docs/contract/learning-lists.md). */
import { describe, expect } from 'vitest';
import { type Answer, membersNamed, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { scope, sharedScope, ungranted } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import { attempt, attempted } from '../experiences/experience-fixture.js';
import { proposal as tool, request, workshop } from '../tools/tool-fixture.js';
import { submission } from './learning-documents.js';
import { learner, lesson } from './learning-fixture.js';

type ListName =
  | 'listProcedures'
  | 'listEvaluations'
  | 'listExperiences'
  | 'listToolArtifacts'
  | 'listToolDevelopments'
  | 'listToolDevelopmentEvents';

const c1 = { procedure_id: 'c1' };

function list<N extends ListName>(
  caller: Caller,
  name: N,
  members: Members = {},
): Promise<Answer<N>> {
  const document = { contract_version: 1, scope: sharedScope, ...members };
  return caller.call(name, { document });
}

/** Returns the items of all pages, in pages of this size. */
async function walk(caller: Caller, name: ListName, limit: number, members: Members = {}) {
  const pages = [];
  let cursor: string | null = null;
  do {
    const answer: Answer<ListName> = await list(caller, name, { limit, cursor, ...members });
    const { page } = result(answer);
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

describe('procedures and evaluations', () => {
  lesson('LRL-C1 procedures come in pages, with their figures', async (parties) => {
    const { registrar, author, judge } = parties;
    const bets = { confidence_delta: 0.1, qualification_trials: 40, max_candidates: 3 };
    result(await registrar.policy('bets', bets, 'betting_e_process_v1'));
    result(await author.propose({ id: 'b', policy_id: 'bets' }));
    result(await author.propose({ id: 'a' }));
    result(await author.propose({ id: 'ü', instructions: 'ü' }));
    await judge.qualify(4, 'a');
    result(await judge.evaluate(submission('b one', { policy_id: 'bets' }), 'b'));

    const pages = await walk(author.caller, 'listProcedures', 2);
    expect(pages.map((items) => items.length)).toEqual([2, 1]);
    const items = result(await list(author.caller, 'listProcedures')).page.items;
    expect(items).toEqual(pages.flat());
    expect(items.map(({ id, state }) => [id, state])).toEqual([
      ['a', 'Active'],
      ['b', 'Candidate'],
      ['ü', 'Candidate'],
    ]);
    for (const item of items) {
      const { receipt, record } = result(await author.read(item.id)).procedure;
      const { proposal } = record;
      expect({ scope: record.scope, proposal, ...item }).toEqual({
        ...record,
        id: proposal.id,
        policy_id: receipt.request.policy_id,
        context_id: receipt.request.context_id,
        algorithm: item.id === 'b' ? 'betting_e_process_v1' : 'fixed_budget_hoeffding_v1',
        policy: proposal.policy,
        task: proposal.task,
        baseline_revision: proposal.baseline_revision,
        instruction_bytes: Buffer.byteLength(proposal.instructions),
      });
    }
    expect(items[1]?.betting).toMatchObject({ family: { candidates: 1 } });
  });

  lesson('LRL-C2 evaluations of one procedure, of any outcome', async ({ author, judge }) => {
    result(await author.propose());
    result(await author.propose({ id: 'c2' }));
    result(await judge.evaluate(submission('z')));
    result(await judge.evaluate(submission('a', { status: 'cancelled' })));
    result(await judge.evaluate(submission('m'), 'c2'));

    const pages = await walk(author.caller, 'listEvaluations', 1, c1);
    expect(pages).toEqual([
      [result(await author.admission('a')).receipt],
      [result(await author.admission('z')).receipt],
    ]);
    const absent = await list(author.caller, 'listEvaluations', { procedure_id: 'absent' });
    expect(outcome(absent)).toBe(refused.noRecord);
  });

  lesson('LRL-C3 a cursor belongs to one list', async ({ author, judge }) => {
    for (const id of ['c1', 'c2']) {
      result(await author.propose({ id }));
      result(await author.propose({ id }, scope));
      for (const name of ['a', 'b']) result(await judge.evaluate(submission(name), id));
    }
    const one = { limit: 1 };
    const first = result(await list(author.caller, 'listProcedures', one)).page.next_cursor;
    const cases = result(await list(author.caller, 'listEvaluations', { ...c1, ...one })).page;
    const own = result(await list(author.caller, 'listProcedures', { ...one, scope })).page;
    const misused = [
      await list(author.caller, 'listProcedures', { cursor: cases.next_cursor }),
      await list(author.caller, 'listEvaluations', { ...c1, cursor: first }),
      await list(author.caller, 'listEvaluations', {
        procedure_id: 'c2',
        cursor: cases.next_cursor,
      }),
      await list(author.caller, 'listProcedures', { scope, cursor: first }),
      await list(judge.caller, 'listProcedures', { scope, cursor: own.next_cursor }),
      await list(author.caller, 'listProcedures', { cursor: `${first!}A` }),
      await list(author.caller, 'listProcedures', { cursor: '' }),
    ];
    for (const answer of misused) {
      expect(outcome(answer)).toBe(refused.invalid);
      expect(membersNamed(answer)).toEqual(['cursor']);
    }
  });

  lesson('LRL-C4 a private scope is that of its subject', async ({ t, author, judge }) => {
    result(await author.propose({}, scope));
    const idsOf = async (caller: Caller, members: Members = {}) =>
      result(await list(caller, 'listProcedures', members)).page.items.map(({ id }) => id);
    expect(await idsOf(author.caller, { scope })).toEqual(['c1']);
    expect(await idsOf(judge.caller, { scope })).toEqual([]);
    expect(await idsOf(author.caller)).toEqual([]);
    result(await author.propose());
    const foreign = await t.foreignAdmin();
    const reader = { subject_id: 'author', capabilities: ['memory_read'], grants: [sharedScope] };
    expect(await idsOf(await foreign.appoint(reader))).toEqual([]);
  });

  lesson('LRL-C6 a page is read from the current state', async ({ author }) => {
    for (const id of ['b', 'd']) result(await author.propose({ id }));
    const first = result(await list(author.caller, 'listProcedures', { limit: 1 })).page;
    for (const id of ['a', 'c']) result(await author.propose({ id }));
    const cursor = first.next_cursor;
    const rest = result(await list(author.caller, 'listProcedures', { cursor })).page.items;
    expect(rest.map(({ id }) => id)).toEqual(['c', 'd']);
  });

  lesson('LRL-C7 rights and bounds', async ({ t, registrar, author }) => {
    result(await author.propose());
    const all = await learner(t, 'all', ['memory_read', 'experience_read', 'tool_read']);
    for (const name of [
      'listProcedures',
      'listEvaluations',
      'listExperiences',
      'listToolArtifacts',
      'listToolDevelopments',
    ] as const) {
      const of = name === 'listEvaluations' ? c1 : {};
      const ask = async (members: Members, by = all) =>
        outcome(await list(by.caller, name, { ...of, ...members }));
      expect(await ask({})).toBe('200');
      expect(await ask({}, registrar)).toBe(refused.forbidden);
      expect(await ask({ scope: ungranted })).toBe(refused.forbidden);
      for (const wrong of [{ limit: 0 }, { limit: 101 }, { policy_id: 'pol' }]) {
        expect(await ask(wrong)).toBe(refused.invalid);
      }
    }
  });
});

describe('attempts, tools and developments', () => {
  testCase('LRL-C5 attempts are listed with where each stands', async (t) => {
    const at = await attempted(t);
    const { writer } = at;
    result(await writer.register({ ...attempt, id: 'a0' }));
    await at.observed('e1', 1, { outcome: 'succeeded' });
    expect(await walk(writer.caller, 'listExperiences', 1)).toEqual([
      [result(await writer.read('a0')).experience],
      [result(await writer.read('a1')).experience],
    ]);
  });

  testCase('LRL-C5 tools and their developments are listed', async (t) => {
    const shop = await workshop(t);
    const { developer } = shop;
    result(await developer.request());
    result(await developer.request({ ...request, id: 'r0' }));
    result(await shop.report(['e1', 1]));
    result(await developer.registerArtifact({ ...tool, id: 't0' }));
    expect(await walk(developer.caller, 'listToolArtifacts', 1)).toEqual([
      [result(await developer.readArtifact('t0')).artifact],
      [result(await developer.readArtifact('t1')).artifact],
    ]);
    expect(await walk(developer.caller, 'listToolDevelopments', 1)).toEqual([
      [result(await developer.read('r0')).development],
      [result(await developer.read('r1')).development],
    ]);
  });

  testCase('LRL-C12 the events of one development are listed', async (t) => {
    const shop = await workshop(t);
    const { developer } = shop;
    result(await developer.request());
    result(await developer.request({ ...request, id: 'r0' }));
    const pending = { outcome: 'pending_or_unknown' };
    result(await shop.report(['z', 1], pending));
    result(await developer.cancel(['a', 2]));
    result(await shop.report(['m', 3], { outcome: 'cancelled' }));
    const r1 = { request_id: 'r1' };
    const pages = await walk(developer.caller, 'listToolDevelopmentEvents', 1, r1);
    expect(pages).toEqual([
      [result(await developer.event('a')).event],
      [result(await developer.event('m')).event],
      [result(await developer.event('z')).event],
    ]);
    const ask = (members: Members) => list(developer.caller, 'listToolDevelopmentEvents', members);
    expect(result(await ask({ request_id: 'r0' })).page.items).toEqual([]);
    expect(outcome(await ask({ request_id: 'absent' }))).toBe(refused.noRecord);
    expect(outcome(await ask({ ...r1, scope: ungranted }))).toBe(refused.forbidden);
    const { caller } = shop.registrar;
    const unfit = await list(caller, 'listToolDevelopmentEvents', r1);
    expect(outcome(unfit)).toBe(refused.forbidden);
    const { next_cursor: cursor } = result(await ask({ ...r1, limit: 1 })).page;
    const misused = await ask({ request_id: 'r0', cursor });
    expect(outcome(misused)).toBe(refused.invalid);
    expect(membersNamed(misused)).toEqual(['cursor']);
  });

  testCase('LRL-C8 a page ends before it is too large', async (t) => {
    const { developer } = await workshop(t);
    const ids = Array.from({ length: 99 }, (_, at) => `t${String(at).padStart(2, '0')}`);
    for (const id of ids) {
      const source = `${id}${'"'.repeat(24_000)}`;
      result(await developer.registerArtifact({ ...tool, id, source }));
    }
    const pages = await walk(developer.caller, 'listToolArtifacts', 100);
    expect(pages.length).toBe(2);
    expect(pages.flat().map((each) => ('proposal' in each ? each.proposal.id : ''))).toEqual(ids);
  });
});
