/** Ranked searches find the same where facts about records are known (docs/contract/search.md). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Proof } from '../../access/principal.js';
import type { ScopedMemory } from '../../clients/scoped-memory.js';
import type { SearchOptions } from '../../clients/memory-options.js';
import { type Keep, runtimeOf } from '../../keep.js';
import { openKeep } from '../../open-keep.js';
import { operations } from '../../operations.js';
import { agentFor, bootstrapTenant } from '../../operator.js';
import { embeddedInput } from '../../runtime/input.js';
import { inMemoryStore } from '../../storage/in-memory-store/in-memory-store.js';
import { ManualClock } from '../../testing/manual-clock.js';
import type { RecordInput } from '../schema.js';
import type { SearchFilterInput } from './schema.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const DIMENSION = 10;

const component = fc.oneof(
  fc.constantFrom(0, 1, -1, 0.5, 1e-30, 1e30),
  fc.float({ min: -1, max: 1, noNaN: true }),
);
const vector = fc.array(component, { minLength: DIMENSION, maxLength: DIMENSION });
const wanted = vector.map((values) =>
  values.some((each) => each !== 0) ? values : [1, ...values].slice(0, DIMENSION),
);

const record: fc.Arbitrary<RecordInput> = fc
  .tuple(
    fc.oneof({ arbitrary: vector, weight: 4 }, fc.constant<number[]>([])),
    fc.integer({ min: 0, max: 20 }),
    fc.subarray(['x', 'y']),
  )
  .map(([embedding, event_time_millis, tags]) => ({
    episode_type: 'Observation',
    content: { primary: tags.length === 2 ? 'tea' : 'rice', embedding },
    event_time_millis,
    tags,
  }));

/** Some that entries decide alone, and some that need the record. */
const filter = fc.constantFrom<SearchFilterInput[]>(
  ...[{}, {}, { tags: { all: ['x'] } }, { text_contains: 'tea' }],
  ...[{ tags: { none: ['y'] } }, { event_time: { from_millis: 10 } }, { words: { text: 'rice' } }],
);

const ranked: fc.Arbitrary<SearchOptions> = fc.oneof(
  fc
    .tuple(wanted, fc.constantFrom('cosine' as const, 'dot', 'euclidean'))
    .map(([values, metric]) => ({ order: 'nearest' as const, vector: { values, metric } })),
  fc
    .constantFrom('newest_event' as const, 'oldest_event', 'newest_change', 'oldest_change')
    .map((order) => ({ order })),
);

const change = fc.record({
  kind: fc.constantFrom('none' as const, 'create', 'update', 'remove', 'attach'),
  at: fc.nat(),
  record,
});

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

/** The memory of a new keep. */
class Side {
  readonly memory: ScopedMemory;
  readonly ids: string[] = [];
  readonly #keep: Keep;
  readonly #proof: Proof;

  private constructor(keep: Keep, token: string, memory: ScopedMemory) {
    this.#keep = keep;
    this.#proof = { kind: 'bearer', token };
    this.memory = memory;
  }

  static async of(keep: Keep): Promise<Side> {
    const tenant = { tenantId: 'acme', subjectId: 'ops' };
    const admin = await keep.authenticate((await bootstrapTenant(keep, tenant)).secret);
    const capabilities = ['memory_read' as const, 'memory_write' as const];
    const { secret } = await admin.credentials.issue({
      subject_id: 'a',
      capabilities,
      grants: [scope],
    });
    return new Side(keep, secret, (await keep.authenticate(secret)).memory.in(scope));
  }

  async attach(record_id: string, revision: number, values: readonly number[]): Promise<void> {
    const embeddings = [{ record_id, revision, values: [...values] }];
    const document = { contract_version: 1, scope, embeddings };
    const { attachEmbeddings } = operations;
    await this.#keep.invoke(attachEmbeddings, embeddedInput({ document }), { proof: this.#proof });
  }
}

/** A memory with a cache of facts, and one without, written alike. */
class Twins {
  readonly both: readonly Side[];
  readonly #clock: ManualClock;

  constructor(clock: ManualClock, both: readonly Side[]) {
    this.#clock = clock;
    this.both = both;
  }

  async write({ kind, at, record: input }: Change): Promise<void> {
    this.#clock.advance(at % 3);
    for (const side of this.both) {
      const { memory, ids } = side;
      const recordId = ids[at % Math.max(1, ids.length)];
      if (kind === 'create' || (recordId === undefined && kind !== 'none')) {
        ids.push((await memory.create(input)).record_id);
        continue;
      }
      if (recordId === undefined || kind === 'none') continue;
      const { revision } = await memory.read(recordId);
      const target = { recordId, expectedRevision: revision };
      if (kind === 'update') await memory.update(target, input);
      if (kind === 'remove') {
        await memory.delete(target);
        ids.splice(at % ids.length, 1);
      }
      const embedding = input.content.embedding ?? [];
      if (kind === 'attach' && embedding.length > 0) {
        await side.attach(recordId, revision, embedding);
      }
    }
  }
}

/** Returns what all pages show, by the place of each record among those that were created. */
async function shown(memory: ScopedMemory, asked: SearchFilterInput, options: SearchOptions) {
  const matches: unknown[] = [];
  let cursor: string | null = null;
  do {
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const page = await memory.searchPage(asked, { ...options, ...place });
    matches.push(page.scanned_records);
    matches.push(
      ...page.matches.map((match) => [match.distance, match.record.payload, match.record.revision]),
    );
    cursor = page.next_cursor;
  } while (cursor !== null);
  return matches;
}

async function memoryOf(keep: Keep): Promise<ScopedMemory> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'a', scopes: [scope] });
  return agent.memory.in(scope);
}

describe('ranked searches', () => {
  test('find with known facts what they find without, while others write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 20, maxLength: 80, size: 'max' }),
        fc.array(fc.tuple(filter, ranked, fc.integer({ min: 1, max: 6 }), change), {
          minLength: 4,
          maxLength: 10,
          size: 'max',
        }),
        async (first, rounds) => {
          const clock = new ManualClock();
          const open = (queryCacheBytes: number) =>
            openKeep({ store: inMemoryStore(), clock, queryCacheBytes });
          await using cached = await open(2 ** 22);
          await using plain = await open(0);
          const twins = new Twins(clock, [await Side.of(cached), await Side.of(plain)]);
          for (const each of first) await twins.write({ kind: 'create', at: 1, record: each });
          for (const [asked, options, limit, between] of rounds) {
            const [one, other] = await Promise.all(
              twins.both.map(({ memory }) => shown(memory, asked, { ...options, limit })),
            );
            expect(one).toEqual(other);
            await twins.write(between);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  test('read few records once facts are known', async () => {
    await using keep = await openKeep({ store: inMemoryStore() });
    const memory = await memoryOf(keep);
    const records = Array.from({ length: 600 }, (_, index): RecordInput => ({
      episode_type: 'Observation',
      content: { primary: 'tea', embedding: [Math.cos(index), Math.sin(index)] },
      event_time_millis: (index * 7) % 600,
    }));
    for await (const { outcomes } of memory.createMany(records))
      expect(outcomes).not.toHaveLength(0);
    const vectorOf = { values: [1, 0] };
    for (const options of [
      { order: 'nearest', vector: vectorOf },
      { order: 'newest_event' },
    ] as const) {
      const read = async () =>
        (await memory.searchPage({}, { ...options, limit: 5, explain: true })).explanation?.records;
      await read();
      expect(await read()).toBeLessThan(40);
    }
  });

  test('hold no more facts than the cache has room for', async () => {
    await using keep = await openKeep({ store: inMemoryStore(), queryCacheBytes: 2 ** 20 });
    const memory = await memoryOf(keep);
    const embedding = Array.from({ length: 2_000 }, (_, index) => index % 7);
    for (let batch = 0; batch < 30; batch += 1) {
      await memory.batch(
        Array.from({ length: 20 }, (_, index) => ({
          type: 'create' as const,
          record: {
            episode_type: 'Observation' as const,
            content: { primary: 'tea', embedding: [...embedding.slice(1), batch * 20 + index] },
            event_time_millis: 0,
          },
        })),
      );
    }
    const { queryCache } = runtimeOf(keep);
    const values = [...embedding.slice(1), 1_000];
    for (let round = 0; round < 3; round += 1) {
      const vector = { values, metric: 'euclidean' } as const;
      const page = await memory.searchPage({}, { order: 'nearest', vector, limit: 1 });
      expect(page.matches[0]?.distance).toBe(401);
      expect(queryCache?.bytes).toBeLessThanOrEqual(2 ** 20);
      expect(queryCache?.bytes).toBeGreaterThan(2 ** 19);
    }
  });
});
