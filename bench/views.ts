/** Compares reads of an earlier state, and of a branch, with the same reads of the current one. */
import type { Agent, MemoryScopeInput, SearchOptions } from '@agentkeep/core';
import { keepWithAgent, recordAt, scope, temporaryDirectory } from './fixture.js';
import { compare, type Comparison, inFlight, median, type Reading } from './measure.js';

const CHANGED = 1_000;
const SEARCHES = 20;
const CALLERS = 64;

/** Sizes of the work; smaller in tests. */
interface ViewLoad {
  readonly records: number;
  /** Reads of a round. */
  readonly reads: number;
  /** Branches that are made one after the other; each is dropped again. */
  readonly branches: number;
  /** Commands of a round, in a branch and outside. */
  readonly commands: number;
}

const LOAD: ViewLoad = { records: 100_000, reads: 5_000, branches: 25, commands: 2_000 };

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

export async function* viewBenchmarks(load = LOAD): AsyncGenerator<Comparison | Reading, void> {
  await using directory = await temporaryDirectory();
  const { keep, agent } = await keepWithAgent({ dataDir: directory.path });
  const { ids, then } = await prepare(agent, load.records);
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
      reads(agent, ids, load, asOf),
      reads(agent, ids, load, {}),
    )),
    against: 'current',
  };
  yield* branchBenchmarks(agent, ids, load);
  await keep.close();
}

/** A branch that has changed some of its records. */
async function* branchBenchmarks(
  agent: Agent,
  ids: readonly string[],
  load: ViewLoad,
): AsyncGenerator<Comparison | Reading, void> {
  const name = `make a branch of ${ids.length.toLocaleString('en-GB')}`;
  yield { name, figures: await makeBranches(agent, load) };
  const { id: branch } = await agent.branches.create('trial', [scope]);
  const where = { ...scope, branch };
  const changed = Math.min(CHANGED, ids.length);
  await inFlight(64, changed, async (index) => {
    const recordId = ids[index * Math.floor(ids.length / changed)] ?? '';
    const { revision } = await agent.memory.in(where).read(recordId);
    const target = { recordId, expectedRevision: revision };
    await agent.memory.in(where).update(target, recordAt(index));
  });
  const against = 'outside';
  const searched = [searches(agent, {}, where), searches(agent, {})] as const;
  yield { ...(await compare('search in a branch, 1 % changed', 0.67, ...searched)), against };
  const read = [reads(agent, ids, load, {}, where), reads(agent, ids, load, {})] as const;
  yield { ...(await compare('read in a branch, 1 % changed', 0.67, ...read)), against };
  const command = [commands(agent, where, load), commands(agent, scope, load)] as const;
  yield { ...(await compare('command in a branch, 64 callers', 0.5, ...command)), against };
}

/** Makes branches and drops them. Each is one durable commit, as the commands in between are. */
async function makeBranches(
  { branches, memory }: Agent,
  load: ViewLoad,
): Promise<Reading['figures']> {
  const times: number[] = [];
  const ofCommands: number[] = [];
  for (let index = 0; index < load.branches; index += 1) {
    const startedMs = performance.now();
    const { id } = await branches.create(`made ${String(index)}`, [scope]);
    const madeMs = performance.now();
    await memory.in(scope).create(recordAt(index));
    ofCommands.push(performance.now() - madeMs);
    times.push(madeMs - startedMs);
    await branches.drop(id);
  }
  return { median_ms: median(times), command_median_ms: median(ofCommands) };
}

function commands(agent: Agent, where: MemoryScopeInput, load: ViewLoad) {
  const memory = agent.memory.in(where);
  return {
    operations: load.commands,
    round: (round: number) =>
      inFlight(CALLERS, load.commands, (index) =>
        memory.create(recordAt(index), { idempotencyKey: `${String(round)} ${String(index)}` }),
      ),
  };
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
  load: ViewLoad,
  at: { readonly asOf?: AsOf },
  where: MemoryScopeInput = scope,
) {
  const memory = agent.memory.in(where);
  return {
    operations: load.reads,
    round: async () => {
      for (let index = 0; index < load.reads; index += 1) {
        await memory.read(ids[index % ids.length] ?? '', at);
      }
    },
  };
}
