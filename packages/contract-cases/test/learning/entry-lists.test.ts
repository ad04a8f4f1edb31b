/** Cases of the lists of policies and contexts (docs/contract/learning-lists.md). */
import { expect } from 'vitest';
import { type Answer, membersNamed, outcome, refused, result } from '../harness/answer.js';
import type { Caller, Members } from '../harness/caller.js';
import { lesson } from './learning-fixture.js';

type ListName = 'listLearningPolicies' | 'listLearningContexts';
const names = ['listLearningPolicies', 'listLearningContexts'] as const;

const version = { contract_version: 1 };

function list<N extends ListName>(
  caller: Caller,
  name: N,
  members: Members = {},
): Promise<Answer<N>> {
  return caller.call(name, { parameters: { ...version, ...members } });
}

async function idsOf(caller: Caller, name: ListName, members: Members = {}): Promise<string[]> {
  return result(await list(caller, name, members)).page.items.map(({ id }) => id);
}

/** Returns the items of all pages, in pages of two. */
async function walk(caller: Caller, name: ListName) {
  const pages = [];
  let cursor: string | null = null;
  do {
    const place: Members = cursor === null ? {} : { cursor };
    const answer: Answer<ListName> = await list(caller, name, { limit: 2, ...place });
    const { page } = result(answer);
    pages.push(page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return pages;
}

lesson('LRL-C9 all policies and contexts come in pages, as reads answer', async ({ registrar }) => {
  const { caller } = registrar;
  const ids = ['a/b', 'a b', 'ü', '\u0001x'];
  for (const id of ids) {
    result(await registrar.policy(id, { min_improvement: 0.25 }));
    result(await registrar.context(id, { task: id }));
  }
  const inOrder = ['\u0001x', 'a b', 'a/b'];
  const [policies, contexts] = [await walk(caller, names[0]), await walk(caller, names[1])];
  expect(policies.map((items) => items.length)).toEqual([2, 2, 1]);
  expect(policies.flat().map(({ id }) => id)).toEqual([...inOrder, 'pol', 'ü']);
  for (const item of policies.flat()) {
    const { entry } = result(await caller.call('getLearningPolicy', { id: item.id }));
    expect(item).toEqual(entry);
  }
  expect(contexts.flat().map(({ id }) => id)).toEqual([...inOrder, 'ctx', 'ü']);
  for (const item of contexts.flat()) {
    const { entry } = result(await caller.call('getLearningContext', { id: item.id }));
    expect(item).toEqual(entry);
  }
});

lesson('LRL-C10 a cursor belongs to one list of one tenant', async ({ t, registrar }) => {
  const { caller } = registrar;
  const foreign = await t.foreignAdmin();
  const other = await foreign.appoint({
    ...{ subject_id: 'registrar', capabilities: ['policy_admin'], grants: [] },
  });
  result(await registrar.policy('x'));
  const { next_cursor: cursor } = result(await list(caller, names[0], { limit: 1 })).page;
  const misused = [
    await list(caller, names[1], { cursor }),
    await list(other, names[0], { cursor }),
    await list(caller, names[0], { cursor: `${cursor!}A` }),
    await list(caller, names[0], { cursor: '' }),
  ];
  for (const answer of misused) {
    expect(outcome(answer)).toBe(refused.invalid);
    expect(membersNamed(answer)).toEqual(['cursor']);
  }
  result(await registrar.policy('a'));
  result(await registrar.policy('q'));
  expect(await idsOf(caller, names[0], { cursor })).toEqual(['q', 'x']);
});

lesson('LRL-C11 rights, bounds and tenants', async ({ t, registrar, author }) => {
  const foreign = await t.foreignAdmin();
  const other = await foreign.appoint({
    ...{ subject_id: 'registrar', capabilities: ['policy_admin'], grants: [] },
  });
  for (const name of names) {
    const ask = async (members: Members) => outcome(await list(registrar.caller, name, members));
    expect(await ask({})).toBe('200');
    expect(outcome(await list(author.caller, name))).toBe(refused.forbidden);
    for (const wrong of [{ limit: 0 }, { limit: 101 }, { policy_id: 'pol' }]) {
      expect(await ask(wrong)).toBe(refused.invalid);
    }
    const unversioned = await registrar.caller.call(name, { parameters: {} });
    expect(outcome(unversioned)).toBe(refused.invalid);
    expect(await ask({ contract_version: 2 })).toBe(refused.version);
    expect(await idsOf(other, name)).toEqual([]);
  }
});
