/** Compares reads of an earlier state, and of a branch, with the same reads of the current one. */
import type { Agent, MemoryScopeInput, SearchOptions } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight, type Reading } from './measure.js';

const RECORDS = 100_000;
const CHANGED = 1_000;
const READS = 5_000;
const SEARCHES = 20;

type AsOf = NonNullable<SearchOptions['asOf']>;

/** Ids of the records, and a cursor before some of them changed. */
interface Prepared {
  readonly ids: readonly string[];
  readonly then: AsOf;
}

async function prepare(agent: Agent, records: number): Promise<Prepared> {
  const memory = agent.memory.in(scope);
  const ids: string[] = [];
  await inFlight(256, records, async (index) => {
    const { record_id } = await memory.create(recordAt(index), { idempotencyKey: String(index) });
    ids.push(record_id);
  });
  ids.sort();
  const { next_after: cursor } = await agent.memory.changesPage({ after: 'latest' });
  const every = Math.floor(records / Math.min(CHANGED, records));
  await inFlight(256, Math.min(CHANGED, records), async (index) => {
    const target = { recordId: ids[index * every] ?? '', expectedRevision: 1 };
    await memory.update(target, recordAt(index), { idempotencyKey: `later ${String(index)}` });
  });
  return { ids, then: { cursor } };
}

/** Searches everything for a rare word, or finds every record. */
async function searchAll(agent: Agent, where: MemoryScopeInput, at: { readonly asOf?: AsOf }) {
  let found = 0;
  const matches = agent.memory.in(where).search({ words: { text: 'zebra' } }, at);
  for await (const { record } of matches) found += record.revision;
  return found;
}

export async function* viewBenchmarks(
  records = RECORDS,
): AsyncGenerator<Comparison | Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const { ids, then } = await prepare(agent, records);
  const asOf = { asOf: then };
  await searchAll(agent, scope, {});
  const startedMs = performance.now();
  await searchAll(agent, scope, asOf);
  const figures = { 'first search ms': performance.now() - startedMs };
  yield { name: 'as of, 1 % changed since', figures };
  yield {
    ...(await compare(
      'search as of, 1 % changed',
      0.5,
      searches(agent, asOf),
      searches(agent, {}),
    )),
    against: 'current',
  };
  yield {
    ...(await compare(
      'read as of, 1 % changed',
      0.5,
      reads(agent, ids, asOf),
      reads(agent, ids, {}),
    )),
    against: 'current',
  };
  yield* branchBenchmarks(agent, ids);
  await keep.close();
}

/** A branch that has changed some of its records. */
async function* branchBenchmarks(
  agent: Agent,
  ids: readonly string[],
): AsyncGenerator<Comparison | Reading, void> {
  const startedMs = performance.now();
  const { id: branch } = await agent.branches.create('trial', [scope]);
  const madeMs = performance.now() - startedMs;
  yield { name: 'make a branch', figures: { ms: madeMs } };
  const where = { ...scope, branch };
  const changed = Math.min(CHANGED, ids.length);
  await inFlight(64, changed, async (index) => {
    const recordId = ids[index * Math.floor(ids.length / changed)] ?? '';
    const { revision } = await agent.memory.in(where).read(recordId);
    const target = { recordId, expectedRevision: revision };
    await agent.memory.in(where).update(target, recordAt(index));
  });
  const against = 'outside';
  const name = 'through a branch, 1,000 changed';
  const searched = [searches(agent, {}, where), searches(agent, {})] as const;
  yield { ...(await compare(`search ${name}`, 0.67, ...searched)), against };
  const read = [reads(agent, ids, {}, where), reads(agent, ids, {})] as const;
  yield { ...(await compare(`read ${name}`, 0.67, ...read)), against };
}

function searches(agent: Agent, at: { readonly asOf?: AsOf }, where: MemoryScopeInput = scope) {
  return {
    operations: SEARCHES,
    round: async () => {
      for (let index = 0; index < SEARCHES; index += 1) await searchAll(agent, where, at);
    },
  };
}

function reads(
  agent: Agent,
  ids: readonly string[],
  at: { readonly asOf?: AsOf },
  where: MemoryScopeInput = scope,
) {
  const memory = agent.memory.in(where);
  return {
    operations: READS,
    round: async () => {
      for (let index = 0; index < READS; index += 1) {
        await memory.read(ids[index % ids.length] ?? '', at);
      }
    },
  };
}
