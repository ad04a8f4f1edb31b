/** Facts that end: candidates for a conflict, what a successor ends, and the chain behind it. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { consolidate, type Keep, openKeep } from '../../index.js';
import { agentFor } from '../../operator.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import type { Agent } from '../agent.js';

const own = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const shared = { ...own, visibility: 'shared' } as const;

let keep: Keep;
let agent: Agent;

beforeEach(async () => {
  keep = await openKeep({ store: inMemoryStore() });
  const scopes = [own, shared];
  agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'ann', scopes });
});

afterEach(() => keep.close());

const textsOf = (found: readonly { readonly record: { payload: { content: object } } }[]) =>
  found.map(({ record }) => (record.payload.content as { primary: string }).primary);

test('records that share most of the rare words are candidates, the likeliest first', async () => {
  const memory = agent.memory.in(own);
  await memory.remember('Ann likes tea.');
  await memory.remember('The garden has two old trees.');
  await memory.remember('Ann lives in Rome since the spring.');
  await memory.remember('In the spring, Ann lives in Paris.');
  const made = await memory.remember('Ann lives in Paris.');
  const record = await memory.read(made.record_id);
  const found = await memory.conflicts(record, { overlap: 0.4 });
  expect(textsOf(found)).toEqual([
    'In the spring, Ann lives in Paris.',
    'Ann lives in Rome since the spring.',
  ]);
  expect(found[0]).toMatchObject({ overlap: 1, isNamesake: false });
  expect(found[1]?.terms.map(({ text }) => text)).toEqual(['Ann', 'lives']);
  expect(await memory.conflicts(record, { overlap: 0.4, limit: 1 })).toHaveLength(1);
  await expect(memory.conflicts(record, { overlap: 0 })).rejects.toThrow('overlap');
  await expect(memory.conflicts(record, { limit: 101 })).rejects.toThrow('limit');
});

test('records of one name in other scopes are candidates, and ended ones are not', async () => {
  const memory = agent.memory.in(own);
  await agent.memory.in(shared).remember('Write long letters.', { name: 'style' });
  const made = await memory.remember('Answer in one sentence.', { name: 'style' });
  const record = await memory.read(made.record_id);
  expect(await memory.conflicts(record)).toEqual([]);
  const [found, ...others] = await memory.conflicts(record, { scopes: [own, shared] });
  expect([found?.isNamesake, found?.scope.visibility, others]).toEqual([true, 'shared', []]);
  const same = await memory.remember('Answer in one sentence.');
  expect(textsOf(await memory.conflicts(record))).toEqual(['Answer in one sentence.']);
  const { record_id, revision } = same;
  await memory.remember('Cats sleep.', { supersedes: [{ record_id, revision }] });
  expect(await memory.conflicts(record)).toEqual([]);
});

test('recall shows what holds, and the chain what held before', async () => {
  const memory = agent.memory.in(own);
  let last = await memory.remember('Ann lives in Oslo.');
  for (const town of ['Rome', 'Paris']) {
    const { record_id, revision } = last;
    last = await memory.remember(`Ann lives in ${town}.`, {
      supersedes: [{ record_id, revision }],
    });
  }
  const recalled = await memory.recall('Where does Ann live?');
  expect(textsOf(recalled)).toEqual(['Ann lives in Paris.']);
  const [best] = recalled;
  const chain = best === undefined ? [] : await memory.superseded(best.record);
  expect(chain.map(({ payload }) => payload.content.primary)).toEqual([
    'Ann lives in Rome.',
    'Ann lives in Oslo.',
  ]);
  expect(chain[0]?.payload.superseded_by).toBe(last.record_id);
  const filter = { include_superseded: true };
  expect(await memory.recall('Where does Ann live?', { filter })).toHaveLength(3);
});

test('the chain is whole after a merge, whatever revisions the branch had', async () => {
  const memory = agent.memory.in(own);
  const old = await memory.remember('Ann lives in Oslo.');
  const branch = await agent.branches.create('trial', [own]);
  const tried = agent.memory.in({ ...own, branch: branch.id });
  const target = { recordId: old.record_id, expectedRevision: 1 };
  await tried.update(target, { content: { primary: 'Ann lives in Oslo, by the sea.' } });
  const made = await tried.remember('Ann lives in Bergen.');
  const last = await tried.remember('Ann lives in Rome.', {
    supersedes: [
      { record_id: old.record_id, revision: 2 },
      { record_id: made.record_id, revision: 1 },
    ],
  });
  const { digest } = await agent.branches.diffPage(branch.id);
  await agent.branches.merge(branch.id, { digest });
  const record = await memory.read(last.record_id);
  const chain = await memory.superseded(record);
  expect(textsOf(chain.map((each) => ({ record: each })))).toEqual([
    'Ann lives in Oslo, by the sea.',
    'Ann lives in Bergen.',
  ]);
  expect(new Set(chain.map(({ payload }) => payload.superseded_by))).toEqual(
    new Set([last.record_id]),
  );
  // Stating again what it ended ends nothing again.
  const { supersedes } = record.payload;
  const again = { recordId: last.record_id, expectedRevision: record.revision };
  await memory.update(again, {
    content: { primary: 'Ann lives in Rome now.' },
    ...(supersedes && { supersedes }),
  });
  expect((await memory.historyPage(old.record_id)).items).toHaveLength(2);
  expect((await memory.historyPage(made.record_id)).items).toHaveLength(1);
});

test('a consolidation can end what a new record contradicts', async () => {
  const memory = agent.memory.in(own);
  await memory.remember('The office of Ann is in Rome.');
  await memory.remember('The office of Ann is in Paris.');
  const done = await consolidate(agent, own, async ({ records, conflicts }) => {
    const [, newer] = records;
    if (newer === undefined) return [];
    const [{ record } = {}] = await conflicts(newer);
    if (record === undefined) return [];
    const { record_id, revision } = record;
    const supersedes = [{ record_id, revision }];
    return [{ type: 'create', record: { content: { primary: 'It moved.' }, supersedes } }];
  });
  expect(done.written).toBe(1);
  const left = await memory.recall('Where is the office?');
  expect(textsOf(left)).toEqual(['It moved.', 'The office of Ann is in Paris.']);
});

test('what superseded a record answers at its place, and says so', async () => {
  const memory = agent.memory.in(own);
  const { record_id, revision } = await memory.remember('Ann lives in Rome, near the park.');
  await memory.remember('Bob lives near the sea.');
  const made = await memory.remember('She moved to Paris.', {
    supersedes: [{ record_id, revision }],
  });
  const question = 'Where does Ann live, near the park?';
  const [first, second] = await memory.recall(question);
  expect(first).toMatchObject({ text: 'She moved to Paris.', inPlaceOf: record_id, terms: [] });
  expect(second).not.toHaveProperty('inPlaceOf');
  const filter = { include_superseded: true };
  const old = await memory.recall(question, { filter });
  expect(old.map(({ record }) => record.record_id)).not.toContain(made.record_id);
  expect(old[0]?.record.record_id).toBe(record_id);
});
