/** Branches of memory (docs/contract/branches.md#bra-1). */
import { describe, expect } from 'vitest';
import { outcome, refused, result } from '../harness/answer.js';
import { scope, sharedScope, ungranted, unknownId } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import {
  dropBranch,
  getBranch,
  inBranch,
  makeBranch,
  namesOf,
  texted,
  textsIn,
} from './harness.js';

const NO_BRANCH = '404 branch_not_found';

describe('branches', () => {
  // BRA-6, BRA-7, BRA-16
  testCase('BRA-C1 have commands of their own over what stood', async (t) => {
    const agent = await t.agent();
    const one = await agent.created(scope, texted('one'));
    const two = await agent.created(scope, texted('two'));
    const { branch, where } = await inBranch(agent, { purpose: 'to try' });
    expect(branch).toMatchObject({
      name: 'trial',
      purpose: 'to try',
      created_at_millis: t.clock.now(),
      ends_at_millis: t.clock.now() + 604_800_000,
      author: { credential_id: agent.id, subject_id: 'alice' },
    });
    const own = await agent.created(where, texted('own'));
    result(await agent.update(where, [one, 1], texted('one here')));
    result(await agent.delete(where, [two, 1]));
    result(await agent.update(scope, [two, 1], texted('two there')));
    await agent.created(scope, texted('later'));
    expect(await textsIn(agent, where)).toEqual(['one here', 'own']);
    expect(await textsIn(agent, scope)).toEqual(['later', 'one', 'two there']);
    expect(result(await agent.read(where, one))).toMatchObject({
      scope: where,
      record: { revision: 2, payload: { content: { primary: 'one here' } } },
    });
    expect(outcome(await agent.read(where, two))).toBe(refused.noRecord);
    expect(outcome(await agent.read(scope, own))).toBe(refused.noRecord);
    expect(outcome(await agent.update(where, [one, 1]))).toBe(refused.stale);
    const both = result(await agent.search([scope, where], { order: 'oldest' })).page.matches;
    expect(both).toHaveLength(5);
  });

  // BRA-5, BRA-15
  testCase('BRA-C2 can be over an earlier state', async (t) => {
    const agent = await t.agent();
    const one = await agent.created(scope, texted('one'));
    const { page } = result(await agent.changes({ after: 'latest' }));
    result(await agent.update(scope, [one, 1], texted('changed')));
    await agent.created(scope, texted('later'));
    const { where, branch } = await inBranch(agent, { as_of: { cursor: page.next_after } });
    expect(await textsIn(agent, where)).toEqual(['one']);
    result(await agent.update(where, [one, 1], texted('otherwise')));
    expect(await textsIn(agent, where)).toEqual(['otherwise']);
    expect(branch.position).toMatch(/./u);
    const odd = await makeBranch(agent, { name: 'odd', as_of: { cursor: `${branch.position}x` } });
    expect(outcome(odd)).toBe(refused.invalid);
  });

  // BRA-8, BRA-12
  testCase('BRA-C3 have names, revisions and keys of their own', async (t) => {
    const agent = await t.agent();
    const put = result(await agent.put(scope, 'n', { record: texted('outside') }, 'key'));
    const { where } = await inBranch(agent);
    const again = result(await agent.put(where, 'n', { record: texted('inside') }, 'key'));
    expect(again.receipt).toMatchObject({ record_id: put.receipt.record_id, revision: 2 });
    const replay = result(await agent.put(where, 'n', { record: texted('inside') }, 'key'));
    expect(replay).toEqual(again);
    const id = put.receipt.record_id;
    result(await agent.restore(where, id, 1, 2));
    result(await agent.redact(where, id, 2));
    result(await agent.remove(where, 'n'));
    const other = result(await agent.put(where, 'n', { record: texted('new') }));
    expect(other.receipt).toMatchObject({ revision: 1, action: 'created' });
    const named = result(await agent.readNamed(scope, 'n')).record;
    expect(named).toMatchObject({ record_id: id, revision: 1 });
    const inside = result(await agent.readNamed(where, 'n')).record;
    expect(inside.payload.content.primary).toBe('new');
  });

  // BRA-1, BRA-3, BRA-9
  testCase('BRA-C4 reach no scope that their caller cannot', async (t) => {
    const agent = await t.agent();
    await agent.created(scope, texted('private'));
    expect(outcome(await makeBranch(agent, { scopes: [scope, ungranted] }))).toBe(
      refused.forbidden,
    );
    const { id, where } = await inBranch(agent, { scopes: [scope, sharedScope] });
    await agent.created(where, texted('mine'));
    const bob = await t.agent({ subject_id: 'bob' });
    expect(outcome(await bob.query(where))).toBe(NO_BRANCH);
    const narrow = await t.agent({ grants: [sharedScope] });
    expect(outcome(await getBranch(narrow, id))).toBe(NO_BRANCH);
    expect(outcome(await dropBranch(narrow, id))).toBe(NO_BRANCH);
    expect(await namesOf(narrow)).toEqual([]);
    expect(outcome(await narrow.query(where))).toBe(refused.forbidden);
    expect(await textsIn(narrow, { ...sharedScope, branch: id })).toEqual([]);
    const reader = await t.agent({ capabilities: ['memory_read'] });
    expect(outcome(await makeBranch(reader))).toBe(refused.forbidden);
    expect(outcome(await dropBranch(reader, id))).toBe(refused.forbidden);
    expect(await textsIn(reader, where)).toEqual(['mine', 'private']);
    const foreign = await (
      await t.foreignAdmin()
    ).appoint({ subject_id: 'alice', capabilities: ['memory_read'], grants: [scope] });
    expect(outcome(await foreign.query(where))).toBe(NO_BRANCH);
    expect(outcome(await getBranch(foreign, id))).toBe(NO_BRANCH);
  });

  // BRA-13
  testCase('BRA-C5 are bounded, and their names are free again at their end', async (t) => {
    const agent = await t.agent();
    const first = await inBranch(agent, { expires_in_seconds: 60 });
    expect(outcome(await makeBranch(agent))).toBe(refused.stale);
    const bob = await t.agent({ subject_id: 'bob' });
    result(await makeBranch(bob));
    for (let made = 1; made < 32; made += 1) {
      result(await makeBranch(agent, { name: `b${made}` }));
    }
    expect(outcome(await makeBranch(agent, { name: 'more' }))).toBe('409 branch_limit');
    result(await makeBranch(agent, { name: 'other', scopes: [sharedScope] }));
    t.clock.advance(60_000);
    expect(outcome(await getBranch(agent, first.id))).toBe(NO_BRANCH);
    result(await makeBranch(agent));
  });

  // BRA-2, BRA-4, BRA-14
  testCase('BRA-C6 end for everything that names them', async (t) => {
    const agent = await t.agent();
    const { id, where } = await inBranch(agent, { scopes: [scope] });
    await agent.created(where, texted('own'));
    expect(await namesOf(agent)).toEqual(['trial']);
    const elsewhere = { ...sharedScope, branch: id };
    const unknown = { ...scope, branch: unknownId };
    for (const wrong of [elsewhere, unknown]) {
      expect(outcome(await agent.query(wrong))).toBe(NO_BRANCH);
      expect(outcome(await agent.search([scope, wrong]))).toBe(NO_BRANCH);
      expect(outcome(await agent.create(wrong))).toBe(NO_BRANCH);
      expect(outcome(await agent.batch([[wrong, { type: 'remove', name: 'n' }]]))).toBe(NO_BRANCH);
      expect(outcome(await agent.readNamed(wrong, 'n'))).toBe(NO_BRANCH);
      expect(outcome(await agent.changes(wrong))).toBe(NO_BRANCH);
    }
    result(await dropBranch(agent, id));
    expect(outcome(await dropBranch(agent, id))).toBe(NO_BRANCH);
    expect(outcome(await agent.query(where))).toBe(NO_BRANCH);
    expect(outcome(await agent.create(where))).toBe(NO_BRANCH);
    expect(outcome(await agent.changes(where))).toBe(NO_BRANCH);
    expect(outcome(await agent.changes({ ...where, after: 'latest' }))).toBe(NO_BRANCH);
    expect(outcome(await agent.read(where, unknownId))).toBe(NO_BRANCH);
    expect(await namesOf(agent)).toEqual([]);
  });

  // BRA-10
  testCase('BRA-C7 show their changes only where they are named', async (t) => {
    const agent = await t.agent();
    const outside = await agent.created(scope, texted('outside'));
    const { where } = await inBranch(agent);
    const inside = await agent.created(where, texted('inside'));
    const idsOf = async (members: object) =>
      result(await agent.changes({ ...members })).page.changes.map(({ record_id }) => record_id);
    expect(await idsOf({})).toEqual([outside]);
    expect(await idsOf(scope)).toEqual([outside]);
    expect(await idsOf(where)).toEqual([inside]);
    const { page } = result(await agent.changes(where));
    expect(page.changes[0]).toMatchObject({ scope: where, action: 'created' });
  });

  // BRA-11
  testCase('BRA-C8 take no state beside them, and sources from outside', async (t) => {
    const agent = await t.agent();
    const source = await agent.created(scope, texted('source'));
    const { where } = await inBranch(agent);
    const as_of = { millis: t.clock.now() };
    expect(outcome(await agent.query(where, undefined, { as_of }))).toBe(refused.invalid);
    expect(outcome(await agent.search([where], { as_of }))).toBe(refused.invalid);
    expect(outcome(await agent.readAt(where, source, { revision: 1 }))).toBe(refused.invalid);
    const derived_from = [{ record_id: source, revision: 1 }];
    const derived = await agent.created(where, texted('derived', { derived_from }));
    const change = { type: 'delete', record_id: source, expected_revision: 1 };
    const traced = await agent.command(where, { ...change, dependents: 'report' });
    expect(outcome(traced)).toBe(refused.invalid);
    const own = await agent.created(where, texted('own'));
    const wrong = texted('wrong', { derived_from: [{ record_id: own, revision: 1 }] });
    expect(outcome(await agent.create(where, wrong))).toBe(refused.noRecord);
    result(await agent.command(scope, { ...change, dependents: 'cascade' }));
    result(
      await agent.call('traceMemoryDependents', {
        id: source,
        document: { contract_version: 1, scope, revision: 2 },
      }),
    );
    expect(outcome(await agent.read(where, derived))).toBe(refused.noRecord);
    expect(await textsIn(agent, where)).toEqual(['own']);
  });
});
