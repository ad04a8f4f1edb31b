/** Imports of branches that have ended where they come from (docs/contract/exports.md#xpt-22). */
import { eventually } from '@agentkeep/testkit/eventually';
import { expect } from 'vitest';
import { compare, dropBranch, inBranch, merge, namesOf, texted } from '../branches/harness.js';
import { erased, ofSubject } from '../erasure/erasure-kit.js';
import { outcome, result } from '../harness/answer.js';
import type { Caller } from '../harness/caller.js';
import { scope, sharedScope } from '../harness/documents.js';
import { testCase, type Fixture, tenant } from '../harness/fixture.js';
import { reject, reviewerOf, submit } from '../review/harness.js';
import { exported, imported, type Line, linesOf } from './export-fixture.js';

const BRANCHES = 84;
const ENDED_BRANCHES = 105;
const WEEK_MS = 604_800_000;

/** Waits until a store has this many entries of a subspace. */
async function counted({ store }: Fixture, subspace: number, entries: number): Promise<void> {
  await eventually(async () => {
    let found = 0;
    await store.scan(({ key }) => {
      if (key[key.indexOf(0) + 1] === subspace) found += 1;
    });
    expect(found).toBe(entries);
  });
}

/** Removes what is no longer kept: setting how long memory is kept wakes the sweeper. */
async function sweep(admin: Caller, revision: number): Promise<void> {
  result(await admin.setRetention({ revisions_max: 5 + revision }, revision));
}

const isBranch = ({ line }: Line): boolean => line === 'branch';

/** Returns the reasons for which the line of the branch, and the record in it, were refused. */
async function reasonsOf(admin: Caller, text: string): Promise<string[]> {
  const { problems } = await imported(admin, text);
  return problems.map(({ reason }) => reason);
}

const ENDED = ['branch_ended', 'unknown_scope'];

// XPT-16, XPT-22
testCase('XPT-C20 a branch that was dropped does not come back', async (t) => {
  const alice = await t.agent();
  const { id, where } = await inBranch(alice);
  await alice.created(where, texted('in the branch'));
  const text = await exported(t.admin);
  result(await dropBranch(alice, id));
  expect(await reasonsOf(t.admin, text)).toEqual(ENDED);
  await counted(t, BRANCHES, 0);
  expect(await reasonsOf(t.admin, text)).toEqual(ENDED);
  expect((await imported(t.admin, text, { dry_run: true })).problems).toHaveLength(2);
  expect(await namesOf(alice)).toEqual([]);

  // Elsewhere it has not ended, and may be imported once.
  await using other = await tenant(t.driver);
  expect(await reasonsOf(other.admin, text)).toEqual([]);
  const reader = await other.agent();
  result(await dropBranch(reader, id));
  await counted(other, BRANCHES, 0);
  expect(await reasonsOf(other.admin, text)).toEqual(ENDED);
});

// XPT-22
testCase('XPT-C20 nor once it would have ended by itself, when its end is forgotten', async (t) => {
  const alice = await t.agent();
  const { id, where } = await inBranch(alice);
  await alice.created(where, texted('in the branch'));
  const text = await exported(t.admin);
  result(await dropBranch(alice, id));
  await counted(t, BRANCHES, 0);
  await counted(t, ENDED_BRANCHES, 1);
  t.clock.advance(WEEK_MS - 1);
  await sweep(t.admin, 0);
  expect(await reasonsOf(t.admin, text)).toEqual(ENDED);
  await counted(t, ENDED_BRANCHES, 1);
  t.clock.advance(1);
  await sweep(t.admin, 1);
  await counted(t, ENDED_BRANCHES, 0);
  expect(await reasonsOf(t.admin, text)).toEqual(ENDED);
});

// XPT-22, REV-2
testCase('XPT-C20 nor one that was submitted, whatever was decided', async (t) => {
  const alice = await t.agent();
  const rita = await reviewerOf(t);
  const made = async (name: string) => {
    const { id } = await inBranch(alice, { name, scopes: [sharedScope] });
    await alice.created({ ...sharedScope, branch: id }, texted(name));
    return id;
  };
  const ids = [await made('waiting'), await made('rejected'), await made('merged')];
  const text = await exported(t.admin);
  for (const id of ids) result(await submit(alice, id));
  result(await reject(rita, ids[1]!));
  expect(result(await merge(rita, ids[2]!)).merge.state).toBe('merged');
  const reasons = await reasonsOf(t.admin, text);
  expect(reasons.filter((reason) => reason === 'branch_ended')).toHaveLength(3);
  expect(await namesOf(alice)).toEqual([]);
  expect((await compare(rita, ids[0]!)).page.items).toHaveLength(1);
});

// XPT-22, ERA-24
testCase('XPT-C20 nor what an erased subject called it', async (t) => {
  const alice = await t.agent();
  const bob = await t.agent({ subject_id: 'bob' });
  const purpose = 'canary-of-a-purpose';
  const { id } = await inBranch(alice, { name: 'canary', purpose, scopes: [sharedScope] });
  const gone = await inBranch(alice, { name: 'dropped canary', purpose, scopes: [sharedScope] });
  const text = await exported(t.admin);
  expect(linesOf(text).filter(isBranch)).toHaveLength(2);
  await erased(t, ofSubject('alice'));
  result(await dropBranch(bob, gone.id));
  await counted(t, BRANCHES, 1);
  expect(await reasonsOf(t.admin, text)).toEqual(['erased', 'erased']);
  // Nor where it was never stored.
  const foreign = await t.foreignAdmin();
  expect(await reasonsOf(foreign, text)).toEqual(['erased', 'erased']);
  expect(await namesOf(bob)).toEqual([id]);
  expect(await exported(t.admin)).not.toContain('canary');
});

// XPT-22, ERA-24
testCase('XPT-C20 nor one over a scope that was erased', async (t) => {
  const alice = await t.agent();
  await inBranch(alice, { scopes: [scope, sharedScope] });
  const text = await exported(t.admin);
  await erased(t, { kind: 'scope', scope: sharedScope });
  expect(await reasonsOf(t.admin, text)).toEqual(['erased']);
  expect(outcome(await alice.create(sharedScope, texted('anew')))).toBe('200');
});
