/** Branches over private scopes are their subject's alone (docs/contract/branches.md#bra-29). */
import { describe, expect } from 'vitest';
import { exported, linesOf, ofTenant } from '../exports/export-fixture.js';
import { erased, wholeStore } from '../erasure/erasure-kit.js';
import { outcome, result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase } from '../harness/fixture.js';
import {
  compare,
  dropBranch,
  getBranch,
  inBranch,
  makeBranch,
  merge,
  namesOf,
  texted,
  textsIn,
} from './harness.js';

const NO_BRANCH = '404 branch_not_found';
const version = { contract_version: 1 };

describe('branches over private scopes', () => {
  // BRA-29
  testCase('BRA-C15 are there for their subject only', async (t) => {
    const agent = await t.agent();
    const one = await agent.created(scope, texted('one'));
    const { id, where } = await inBranch(agent, {
      scopes: [scope, sharedScope],
      purpose: 'secret',
    });
    const shared = { ...sharedScope, branch: id };
    result(await agent.update(where, [one, 1], texted('one here')));
    const draft = await agent.created(shared, texted('shared draft'));
    const { digest } = await compare(agent, id);
    const bob = await t.agent({ subject_id: 'bob' });
    expect(await namesOf(bob)).toEqual([]);
    expect(outcome(await getBranch(bob, id))).toBe(NO_BRANCH);
    expect(outcome(await dropBranch(bob, id))).toBe(NO_BRANCH);
    const difference = await bob.call('compareMemoryBranch', { id, parameters: version });
    expect(outcome(difference)).toBe(NO_BRANCH);
    const document = { ...version, idempotency_key: 'k', digest };
    expect(outcome(await bob.call('mergeMemoryBranch', { id, document }))).toBe(NO_BRANCH);
    const submitted = { ...version, purpose: null };
    expect(outcome(await bob.call('proposeMemoryBranch', { id, document: submitted }))).toBe(
      NO_BRANCH,
    );
    for (const place of [where, shared]) {
      expect(outcome(await bob.create(place, texted('of another')))).toBe(NO_BRANCH);
      expect(outcome(await bob.batch([[place, { type: 'remove', name: 'n' }]]))).toBe(NO_BRANCH);
      expect(outcome(await bob.query(place))).toBe(NO_BRANCH);
      expect(outcome(await bob.search([place]))).toBe(NO_BRANCH);
      expect(outcome(await bob.read(place, draft))).toBe(NO_BRANCH);
      expect(outcome(await bob.readNamed(place, 'n'))).toBe(NO_BRANCH);
      expect(outcome(await bob.changes(place))).toBe(NO_BRANCH);
    }
    expect((await compare(agent, id)).digest).toBe(digest);
    expect(await textsIn(agent, shared)).toEqual(['shared draft']);
    expect(result(await merge(agent, id)).merge).toMatchObject({ state: 'merged', merged: 2 });
    expect(result(await bob.read(sharedScope, draft)).record.revision).toBe(1);
  });

  // BRA-13, BRA-29
  testCase('BRA-C16 take places and names of their subject only', async (t) => {
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    for (let made = 0; made < 32; made += 1) {
      result(await makeBranch(agent, { name: `b${made}` }));
    }
    expect(outcome(await makeBranch(agent, { name: 'more' }))).toBe('409 branch_limit');
    result(await makeBranch(bob, { name: 'b0' }));
    expect(await namesOf(bob)).toEqual(['b0']);
    for (let made = 32; made < 64; made += 1) {
      result(await makeBranch(agent, { name: `b${made}`, scopes: [sharedScope] }));
    }
    const wanted = { name: 'too many', scopes: [{ ...scope, mission_id: null }] };
    const wide = await t.agent({ subject_id: 'alice', grants: wanted.scopes });
    expect(outcome(await makeBranch(wide, wanted))).toBe('409 branch_limit');
    const other = await t.agent({ subject_id: 'bob', grants: wanted.scopes });
    result(await makeBranch(other, wanted));
  });

  // BRA-11, LIN-14
  testCase('BRA-C17 keep what was derived in them from the traces of others', async (t) => {
    const agent = await t.agent();
    const bob = await t.agent({ subject_id: 'bob' });
    const source = await bob.created(sharedScope, texted('source'));
    const { id } = await inBranch(agent, { scopes: [scope, sharedScope] });
    const shared = { ...sharedScope, branch: id };
    const derived_from = [{ record_id: source, revision: 1 }];
    const derived = await agent.created(shared, texted('derived', { derived_from }));
    const traced = await bob.call('traceMemoryDependents', {
      id: source,
      document: { ...version, scope: sharedScope, revision: 1 },
    });
    expect(JSON.stringify(traced)).not.toContain(derived);
    const change = { type: 'delete', record_id: source, expected_revision: 1 };
    result(await bob.command(sharedScope, { ...change, dependents: 'cascade' }));
    const cascaded = await bob.call('traceMemoryDependents', {
      id: source,
      document: { ...version, scope: sharedScope, revision: 2 },
    });
    expect(JSON.stringify(result(cascaded))).not.toContain(derived);
    expect(await textsIn(agent, shared)).toEqual(['derived']);
  });

  // BRA-29, XPT-21
  testCase('BRA-C18 are exported with their private scopes or not at all', async (t) => {
    const agent = await t.agent();
    const { id, where } = await inBranch(agent, { scopes: [scope, sharedScope] });
    await agent.created(where, texted('mine'));
    await agent.created({ ...sharedScope, branch: id }, texted('draft'));
    const branchesIn = async (of: object) =>
      linesOf(await exported(t.admin, of)).filter(({ line }) => line === 'branch');
    expect(await branchesIn({ type: 'scope', scope: sharedScope })).toEqual([]);
    expect(await branchesIn({ type: 'subject', subject_id: 'bob' })).toEqual([]);
    expect(await branchesIn({ type: 'subject', subject_id: 'alice' })).toMatchObject([
      { id, scopes: [scope] },
    ]);
    expect(await branchesIn(ofTenant)).toMatchObject([{ id, scopes: [scope, sharedScope] }]);
  });

  // BRA-29, ERA-8, ERA-10
  const targets = [
    { kind: 'subject', subject_id: 'alice' },
    { kind: 'scope', scope, subject_id: 'alice' },
    { kind: 'scope', scope },
  ];
  for (const target of targets) {
    const of = JSON.stringify(target);
    testCase(`BRA-C19 leave nothing where ${of} is erased`, async (t) => {
      const agent = await t.agent();
      const bob = await t.agent({ subject_id: 'bob' });
      const kept = await bob.created(sharedScope, texted('kept'));
      const { id } = await inBranch(agent, {
        scopes: [scope, sharedScope],
        name: 'named-canary',
        purpose: 'purposed-canary',
      });
      const shared = { ...sharedScope, branch: id };
      result(await agent.update(shared, [kept, 1], texted('changed-canary')));
      await agent.created({ ...scope, branch: id }, texted('private-canary'));
      const records = [await agent.created(shared, texted('merged'))];
      result(await merge(agent, id, { records }));
      await erased(t, target);
      expect(outcome(await bob.query(shared))).toBe(NO_BRANCH);
      expect(await textsIn(bob, sharedScope)).toEqual(['kept', 'merged']);
      const whole = await wholeStore(t);
      expect(whole).not.toContain('-canary');
      const bytes = Buffer.from(id.replaceAll('-', ''), 'hex').toString('latin1');
      expect(whole).not.toContain(bytes);
    });
  }
});
