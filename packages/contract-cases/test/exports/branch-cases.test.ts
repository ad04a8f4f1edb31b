/** Branches in exports and imports (docs/contract/exports.md#xpt-21). */
import { describe, expect } from 'vitest';
import {
  compare,
  dropBranch,
  inBranch,
  makeBranch,
  merge,
  texted,
  textsIn,
} from '../branches/harness.js';
import { outcome, refused, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { missionScope, scope } from '../harness/documents.js';
import { testCase, tenant } from '../harness/fixture.js';
import { contentOf, countedIn, exported, imported, linesOf, ofTenant } from './export-fixture.js';

const history = { with_history: true };

/** Makes a branch that changed, deleted, made and merged records, and meets a conflict. */
async function branched(agent: Caller) {
  const ids: string[] = [];
  for (const text of ['changed', 'deleted', 'raced', 'merged']) {
    ids.push(await agent.created(scope, texted(text)));
  }
  const [changed, deleted, raced, merged] = ids;
  const { id, where } = await inBranch(agent);
  result(await agent.update(where, [merged, 1], texted('merged here')));
  result(await merge(agent, id));
  result(await agent.update(where, [merged, 2], texted('merged and changed')));
  result(await agent.update(where, [changed, 1], texted('changed here')));
  result(await agent.delete(where, [deleted, 1]));
  result(await agent.update(where, [raced, 1], texted('raced here')));
  result(await agent.update(scope, [raced, 1], texted('raced outside')));
  result(await agent.put(where, 'made', { record: texted('made') }));
  return { id, where };
}

const differencesOf = async (agent: Caller, id: string) => (await compare(agent, id)).page.items;

describe('branches in exports', () => {
  // XPT-21, XPT-22
  testCase('XPT-C9 come back with what they changed, and are compared the same', async (t) => {
    const agent = await t.agent({ subject_id: 'alice' });
    const { id, where } = await branched(agent);
    const ended = await inBranch(agent, { name: 'ended' });
    await agent.created(ended.where, texted('in an ended branch'));
    result(await dropBranch(agent, ended.id));
    const text = await exported(t.admin, ofTenant, history);
    expect(text).not.toContain('in an ended branch');

    await using empty = await tenant(t.driver);
    const dry = { dry_run: true };
    const count = countedIn(text);
    const all = { stored: count, unchanged: 0, refused: 0, problems: [] };
    expect(await imported(empty.admin, text, dry)).toEqual(all);
    expect(await imported(empty.admin, text)).toEqual(all);
    expect(await imported(empty.admin, text)).toMatchObject({ stored: 0, unchanged: count });
    expect(contentOf(await exported(empty.admin, ofTenant, history))).toEqual(contentOf(text));

    const reader = await empty.agent({ subject_id: 'alice' });
    expect(await textsIn(reader, where)).toEqual(await textsIn(agent, where));
    expect(await textsIn(reader, scope)).toEqual(await textsIn(agent, scope));
    expect(await differencesOf(reader, id)).toEqual(await differencesOf(agent, id));
    const records = (await differencesOf(agent, id))
      .filter(({ conflict }) => conflict === null)
      .map(({ record_id }) => record_id);
    expect(result(await merge(reader, id)).merge.state).toBe('conflicts');
    expect(result(await merge(reader, id, { records })).merge.state).toBe('merged');
    expect(await textsIn(reader, scope)).toEqual([
      ...['changed here', 'made', 'merged and changed', 'raced outside'],
    ]);
  });

  // XPT-21
  testCase('XPT-C10 are those over what is exported, with no other scopes', async (t) => {
    const agent = await t.agent({ subject_id: 'alice' });
    const both = { scopes: [scope, missionScope] };
    const { id, where } = await inBranch(agent, both);
    await agent.created(where, texted('in the branch'));
    await makeBranch(agent, { name: 'untouched', scopes: [scope] });
    const branchesIn = async (of: object) =>
      linesOf(await exported(t.admin, of)).filter(({ line }) => line === 'branch');
    const own = await exported(agent, { type: 'scope', scope });
    expect(linesOf(own).filter(({ line }) => line === 'branch')).toMatchObject([
      { id, scopes: [scope] },
    ]);
    expect(await branchesIn({ type: 'subject', subject_id: 'alice' })).toHaveLength(1);
    expect(await branchesIn({ type: 'subject', subject_id: 'bob' })).toEqual([]);
    const other = { type: 'scope', scope: missionScope, subject_id: 'alice' };
    expect(await branchesIn(other)).toEqual([]);
    expect(await branchesIn(ofTenant)).toHaveLength(2);
    // What the tenant has is no other branch.
    expect(await imported(t.admin, own)).toMatchObject({ stored: 0, refused: 0 });
  });

  // XPT-16, XPT-22
  testCase('XPT-C11 are refused where they ended, or where their name is taken', async (t) => {
    const agent = await t.agent({ subject_id: 'alice' });
    const { where } = await inBranch(agent, { expires_in_seconds: 60 });
    await agent.created(where, texted('in the branch'));
    const text = await exported(t.admin);
    const at = linesOf(text).findIndex(({ line }) => line === 'branch') + 1;
    const reasonsOf = async (caller: Caller) =>
      (await imported(caller, text)).problems.map(({ line, reason }) => [line, reason]);
    const unknown = [at + 2, 'unknown_scope'];

    await using taken = await tenant(t.driver);
    const other = await taken.agent({ subject_id: 'alice' });
    result(await makeBranch(other, { scopes: [scope] }));
    expect(await reasonsOf(taken.admin)).toEqual([[at, 'name_taken'], unknown]);

    await using late = await tenant(t.driver);
    late.clock.advance(60_000);
    expect(await reasonsOf(late.admin)).toEqual([[at, 'branch_ended'], unknown]);
    const changed = { ...linesOf(text)[at - 1], name: 'another' };
    const alone = `${JSON.stringify(changed)}\n${JSON.stringify({ ...changed, spell: 1 })}\n`;
    await using free = await tenant(t.driver);
    expect((await imported(free.admin, text)).refused).toBe(0);
    expect((await imported(free.admin, alone)).problems).toEqual([
      { line: 1, reason: 'conflict' },
      { line: 2, reason: 'invalid' },
    ]);
  });

  // XPT-19
  testCase('XPT-C12 an import has not been there before it was', async (t) => {
    const agent = await t.agent({ subject_id: 'alice' });
    const id = await agent.created(scope, texted('first'));
    result(await agent.update(scope, [id, 1], texted('second')));
    const text = await exported(t.admin, ofTenant, history);
    await using empty = await tenant(t.driver);
    const reader = await empty.agent({ subject_id: 'alice' });
    const feed = { parameters: { contract_version: 1, after: 'latest' } };
    const { next_after } = result(await reader.call('listMemoryChanges', feed)).page;
    await imported(empty.admin, text);
    const parameters = { contract_version: 1, ...scope, as_of_cursor: next_after };
    expect(outcome(await reader.call('readMemoryRecord', { id, parameters }))).toBe(
      refused.noRecord,
    );
    expect(result(await reader.read(scope, id)).record.revision).toBe(2);
  });
});
