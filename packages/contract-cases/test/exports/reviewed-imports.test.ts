/** Imports, reviews and redactions together (docs/contract/exports.md#xpt-26). */
import { describe, expect } from 'vitest';
import { result } from '../harness/answer.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase, tenant } from '../harness/fixture.js';
import { compare, inBranch, merge, texted, textsIn } from '../branches/harness.js';
import { requireReview } from '../review/harness.js';
import { countedIn, exported, imported, linesOf, ofTenant } from './export-fixture.js';

const history = { with_history: true };

describe('an import', () => {
  // XPT-26, REV-20
  testCase('XPT-C18 passes no review by', async (t) => {
    const agent = await t.agent();
    const id = await agent.created(sharedScope, texted('first'));
    result(await agent.update(sharedScope, [id, 1], texted('shared')));
    await agent.created(scope, texted('private'));
    const { id: branch } = await inBranch(agent, { scopes: [sharedScope] });
    const there = { ...sharedScope, branch };
    await agent.created(there, texted('in a branch'));
    const text = await exported(t.admin, ofTenant, history);

    await using empty = await tenant(t.driver);
    const alice = await empty.agent();
    result(await requireReview(empty.admin, 'required'));
    const refused = await imported(empty.admin, text);
    const lines = linesOf(text);
    const named = refused.problems.map(({ line, reason }) => [lines[line - 1]?.line, reason]);
    expect(named.toSorted()).toEqual([
      ['record', 'review_required'],
      ['revision', 'review_required'],
    ]);
    expect(refused.stored).toBe(countedIn(text) - 2);
    expect(await textsIn(alice, sharedScope)).toEqual([]);
    expect(await textsIn(alice, scope)).toEqual(['private']);
    expect(await textsIn(alice, there)).toEqual(['in a branch']);

    const capabilities = ['credential_admin', 'memory_review'];
    const reviewer = await empty.agent({ subject_id: 'rita', capabilities });
    expect(await imported(reviewer, text)).toMatchObject({ stored: 2, refused: 0 });
    expect(await textsIn(alice, sharedScope)).toEqual(['shared']);
    expect(await imported(empty.admin, text)).toMatchObject({ stored: 0, refused: 0 });
  });

  // XPT-21, BRA-19, BRA-20
  testCase('XPT-C19 brings a branch back with its redactions', async (t) => {
    const agent = await t.agent();
    const old = await agent.created(sharedScope, texted('old secret'));
    result(await agent.update(sharedScope, [old, 1], texted('harmless')));
    const { id } = await inBranch(agent, { scopes: [sharedScope] });
    const there = { ...sharedScope, branch: id };
    const made = await agent.created(there, texted('new secret'));
    result(await merge(agent, id));
    result(await agent.update(there, [made, 1], texted('second')));
    result(await merge(agent, id));
    for (const record of [old, made]) result(await agent.redact(there, record, 1));
    const redacts = async (caller: typeof agent) =>
      (await compare(caller, id)).page.items.map((each) => [
        each.record_id,
        each.redacted_revision,
      ]);
    const expected = [old, made].toSorted().map((record) => [record, 1]);
    expect(await redacts(agent)).toEqual(expected);

    const text = await exported(t.admin, ofTenant, history);
    await using empty = await tenant(t.driver);
    const alice = await empty.agent();
    const count = countedIn(text);
    expect(await imported(empty.admin, text)).toMatchObject({ stored: count, refused: 0 });
    expect(await redacts(alice)).toEqual(expected);
    expect(result(await merge(alice, id)).merge).toMatchObject({ state: 'merged', merged: 2 });
    const left = await exported(empty.admin, ofTenant, history);
    expect(left).not.toContain('secret');
  });
});
