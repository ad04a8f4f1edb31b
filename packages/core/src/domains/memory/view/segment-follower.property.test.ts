/**
 * Searches at two servers of one store, which both remember segments and write at random, find what
 * a server finds that remembers nothing.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ScopeInput } from '../../../kernel/access/scope.js';
import type { Agent } from '../../../client/agent.js';
import { type Keep, runtimeOf } from '../../../keep/keep.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor, bootstrapTenant } from '../../../operator.js';
import { sharedMemory } from '../../../storage/in-memory-store/in-memory-store.js';
import { Overlay, runReadBody } from '../../../storage/store/overlay.js';
import { speculative } from '../../../storage/store-testing/speculative-store.js';
import { storeOver } from '../../../storage/store-testing/store-over.js';
import type { SnapshotTx, Store } from '../../../storage/store/store.js';
import { ManualClock } from '../../../testing/manual-clock.js';
import { MemorySweeper } from '../sweep/memory-sweeper.js';

const RUNS = Number(process.env['AGENTKEEP_HISTORIES'] ?? 25);
const DAY_MS = 86_400_000;
const SCOPES: readonly ScopeInput[] = ['one', 'two'].map((project_id) => ({
  project_id,
  agent_id: 'a',
  visibility: 'shared',
}));
const WORDS = ['tea', 'coffee', 'rain', 'alps'];

const where = { at: fc.nat({ max: 1 }), scope: fc.nat({ max: 1 }) };
const word = fc.constantFrom(...WORDS);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      ...where,
      type: fc.constant('write' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
      words: fc.array(word, { minLength: 1, maxLength: 3 }),
      lives: fc.boolean(),
      count: fc.constantFrom(1, 1, 1, 3, 40),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      ...where,
      type: fc.constant('remove' as const),
      name: fc.constantFrom('a', 'b', 'c', 'd'),
    }),
  },
  { weight: 6, arbitrary: fc.record({ ...where, type: fc.constant('search' as const), word }) },
  { weight: 1, arbitrary: fc.record({ ...where, type: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ ...where, type: fc.constant('settle' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/**
 * Some reads see a state that is older when their body runs, as with a database, and others return
 * late, so that more comes between them and what is remembered of them.
 */
function slow(store: Store, turns: () => number): Store {
  const wait = async (): Promise<void> => {
    for (let left = turns(); left > 0; left -= 1) await Promise.resolve();
  };
  return storeOver(store, {
    read: async (body) => {
      const state = turns() % 2 === 0 ? undefined : await store.read(copied);
      await wait();
      const result = state === undefined ? await store.read(body) : runReadBody(state, body);
      await wait();
      return result;
    },
  });
}

function copied(tx: SnapshotTx): SnapshotTx {
  const overlay = new Overlay({ get: () => undefined, range: () => [] });
  const all = { from: Buffer.of(0), to: Buffer.of(0xff, 0xff) };
  for (const { key, value } of tx.range(all)) {
    overlay.put(Uint8Array.from(key), Uint8Array.from(value));
  }
  const horizon = Uint8Array.from(tx.horizon());
  return {
    get: (key) => overlay.get(key),
    range: (it) => overlay.range(it),
    horizon: () => horizon,
  };
}

async function remove(memory: ReturnType<Agent['memory']['in']>, name: string): Promise<void> {
  const found = await memory.read({ name });
  if (found !== undefined) await memory.delete({ name, expectedRevision: found.revision });
}

/** Everything that searches of a scope say. */
async function found(agent: Agent, scope: ScopeInput): Promise<unknown> {
  const memory = agent.memory.in(scope);
  const all: unknown[] = [];
  for (const text of WORDS) {
    all.push((await memory.recall(text)).map(({ record }) => [record.record_id, record.revision]));
    const old = { words: { text }, expired: 'included' } as const;
    all.push(
      (await memory.searchPage(old, { limit: 100 })).matches.map(({ record }) => record.record_id),
    );
    all.push((await memory.count({ words: { text } })).matches);
  }
  all.push((await memory.searchPage({}, { order: 'newest', limit: 100 })).scanned_records);
  return all;
}

class History implements AsyncDisposable {
  readonly #clock = new ManualClock();
  readonly #turns: () => number;
  readonly #keeps: Keep[] = [];
  readonly #agents: Agent[] = [];
  readonly #pending: Promise<unknown>[] = [];
  #written = 0;

  constructor(turns: readonly number[]) {
    let next = 0;
    this.#turns = () => turns[next++ % turns.length] ?? 0;
  }

  async begin(): Promise<void> {
    const memory = sharedMemory();
    for (const queryCacheBytes of [1 << 24, 1 << 24, 0]) {
      const store = slow(speculative(memory.open()), this.#turns);
      this.#keeps.push(await openKeep({ store, clock: this.#clock, queryCacheBytes }));
    }
    const [first] = this.#keeps;
    const admin = await bootstrapTenant(first!, { tenantId: 'acme', subjectId: 'ops' });
    const operator = await first!.authenticate(admin.secret);
    await operator.retention.set({ expectedRevision: 0 }, { expired_days: 1 });
    const agent = { tenantId: 'acme', subjectId: 's', scopes: [...SCOPES] };
    for (const keep of this.#keeps) this.#agents.push(await agentFor(keep, agent));
  }

  run(each: Step): Promise<void> | undefined {
    if (each.type === 'settle') return this.settle();
    const done = this.#done(each, this.#agents[each.at]!);
    this.#pending.push(done);
    return undefined;
  }

  async #done(each: Exclude<Step, { type: 'settle' }>, agent: Agent): Promise<void> {
    const memory = agent.memory.in(SCOPES[each.scope]!);
    switch (each.type) {
      case 'write':
        return this.#write(each, agent);
      case 'remove':
        await remove(memory, each.name).catch(() => undefined);
        return;
      case 'search':
        await memory.recall(each.word);
        return;
      case 'sweep':
        this.#clock.advance(2 * DAY_MS);
        await new MemorySweeper(runtimeOf(this.#keeps[each.at]!)).sweep();
    }
  }

  async #write(each: Extract<Step, { type: 'write' }>, agent: Agent): Promise<void> {
    const memory = agent.memory.in(SCOPES[each.scope]!);
    const record = (index: number) => ({
      episode_type: 'Observation' as const,
      content: { primary: `${each.words.join(' ')} ${String(index)}` },
      event_time_millis: 0,
      ...(each.lives ? {} : { valid_until_millis: this.#clock.now() + DAY_MS }),
    });
    if (each.count === 1) {
      await memory.put(each.name, record((this.#written += 1))).catch(() => undefined);
      return;
    }
    const records = Array.from({ length: each.count }, () => record((this.#written += 1)));
    for await (const { outcomes } of memory.createMany(records)) {
      expect(outcomes).toHaveLength(each.count);
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#pending.splice(0));
    for (const scope of SCOPES) {
      const expected = await found(this.#agents[2]!, scope);
      for (const agent of this.#agents.slice(0, 2)) {
        expect(await found(agent, scope)).toEqual(expected);
      }
    }
  }

  get held(): number {
    return Math.max(...this.#keeps.map(({ queryCache }) => queryCache?.bytes ?? 0));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#pending);
    for (const keep of this.#keeps) await keep.close();
  }
}

test('servers that follow each other find what one finds that remembers nothing', async () => {
  let held = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 40, size: 'max' }),
      fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 7 }),
      async (steps, turns) => {
        await using history = new History(turns);
        await history.begin();
        for (const each of steps) await history.run(each);
        await history.settle();
        held += Number(history.held > 0);
      },
    ),
    { numRuns: RUNS },
  );
  expect(held).toBeGreaterThan(RUNS / 2);
});
