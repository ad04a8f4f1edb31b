/** Ranked searches find the same where facts about records are known (docs/contract/search.md). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallerProof } from '../../../../kernel/access/principal.js';
import type { ScopeInput } from '../../../../kernel/access/scope.js';
import type { SearchOptions } from '../../../../client/memory-options.js';
import type { ScopedMemory } from '../../../../client/scoped-memory.js';
import type { Keep } from '../../../../keep/keep.js';
import { openKeep } from '../../../../keep/open-keep.js';
import { operations } from '../../../../domains.js';
import { agentFor, bootstrapTenant } from '../../../../operator.js';
import { embeddedInput } from '../../../../kernel/input/input.js';
import { inMemoryStore } from '../../../../storage/in-memory-store/in-memory-store.js';
import { ManualClock } from '../../../../testing/manual-clock.js';
import type { RecordInput } from '../../documents/schema.js';
import type { SearchFilterInput, SearchMatch } from '../documents/schema.js';

const scope = { project_id: 'p', agent_id: 'a', visibility: 'private' } as const;
const otherScope = { ...scope, agent_id: 'b' } as const;
const scopes = [scope, otherScope];
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
    content: { primary: ['cold milk', 'cold teas', 'rice tea'][tags.length] ?? '', embedding },
    event_time_millis,
    tags,
  }));

/** Some that entries decide alone, and some that need the record. */
const filters: readonly SearchFilterInput[] = [
  {},
  {},
  { tags: { all: ['x'] } },
  { text_contains: 'tea' },
  { tags: { none: ['y'] } },
  { event_time: { from_millis: 10 } },
  { words: { text: 'rice' } },
  { embedded: true },
  { embedded: false },
  { words: { text: 'tea', forms: 'english' } },
  { words: { text: 'rice milk', match: 'any', diacritics: 'ignored' }, embedded: true },
  { text_contains: 'tea', words: { text: 'cold' } },
];
const filter = fc.constantFrom(...filters);

const ranked: fc.Arbitrary<SearchOptions> = fc.oneof(
  fc
    .tuple(wanted, fc.constantFrom('cosine' as const, 'dot', 'euclidean'))
    .map(([values, metric]) => ({ order: 'nearest' as const, vector: { values, metric } })),
  fc
    .tuple(
      wanted,
      fc.constantFrom('tea', 'rice tea', 'r*', '"rice"'),
      fc.constantFrom('all' as const, 'any'),
    )
    .map(([values, text, match]) => ({
      order: 'hybrid' as const,
      vector: { values },
      words: { text, match },
    })),
  fc
    .constantFrom('newest_event' as const, 'oldest_event', 'newest_change', 'oldest_change')
    .map((order) => ({ order })),
);

const asked: fc.Arbitrary<Asked> = fc
  .tuple(
    fc.constantFrom([scope], [scope], scopes),
    filter,
    ranked,
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(100, 10_000),
  )
  .map(([where, wantedFilter, options, limit, scanLimit]) => ({
    in: where,
    filter: wantedFilter,
    options: { ...options, limit, scanLimit },
  }));

const change = fc.record({
  kind: fc.constantFrom('none' as const, 'create', 'update', 'remove', 'attach'),
  at: fc.nat(),
  record,
});

type Change = typeof change extends fc.Arbitrary<infer C> ? C : never;

/** A record that was written. */
interface Known {
  readonly in: ScopeInput;
  readonly id: string;
}

/** The memory of a new keep. */
class Side {
  readonly memory: ScopedMemory;
  readonly known: Known[] = [];
  readonly #keep: Keep;
  readonly #proof: CallerProof;

  private constructor(keep: Keep, token: string, memory: ScopedMemory) {
    this.#keep = keep;
    this.#proof = { kind: 'bearer', token };
    this.memory = memory;
  }

  static async of(keep: Keep): Promise<Side> {
    const tenant = { tenantId: 'acme', subjectId: 'ops' };
    const admin = await keep.authenticate((await bootstrapTenant(keep, tenant)).secret);
    const capabilities = ['memory_read' as const, 'memory_write' as const];
    const spec = { subject_id: 'a', capabilities, grants: scopes };
    const { secret } = await admin.credentials.issue(spec);
    return new Side(keep, secret, (await keep.authenticate(secret)).memory);
  }

  async write({ kind, at, record: input }: Change): Promise<void> {
    const { memory, known } = this;
    const index = at % Math.max(1, known.length);
    const target = known[index];
    if (kind === 'none') return;
    if (kind === 'create' || target === undefined) {
      const place = at % 4 === 3 ? otherScope : scope;
      known.push({ in: place, id: (await memory.in(place).create(input)).record_id });
      return;
    }
    const { revision: expectedRevision } = await memory.in(target.in).read(target.id);
    const current = { recordId: target.id, expectedRevision };
    if (kind === 'update') await memory.in(target.in).update(current, input);
    if (kind === 'remove') {
      await memory.in(target.in).delete(current);
      known.splice(index, 1);
    }
    const values = input.content.embedding ?? [];
    if (kind === 'attach' && values.length > 0)
      await this.#attach(target, expectedRevision, values);
  }

  async #attach(target: Known, revision: number, values: number[]): Promise<void> {
    const embeddings = [{ record_id: target.id, revision, values }];
    const document = { contract_version: 1, scope: target.in, embeddings };
    const { attachEmbeddings } = operations;
    await this.#keep.invoke(attachEmbeddings, embeddedInput({ document }), { proof: this.#proof });
  }
}

/** A search of one scope or both. */
interface Asked {
  readonly in: readonly ScopeInput[];
  readonly filter: SearchFilterInput;
  readonly options: SearchOptions;
}

/** A memory with a cache of facts, and one without, written alike. */
class Twins {
  readonly #both: readonly Side[];
  readonly #clock: ManualClock;

  constructor(clock: ManualClock, both: readonly Side[]) {
    this.#clock = clock;
    this.#both = both;
  }

  async write(change: Change): Promise<void> {
    this.#clock.advance(change.at % 3);
    for (const side of this.#both) await side.write(change);
  }

  /** Goes through the pages of a search on both sides, and writes between the first ones. */
  async compare({ in: where, filter: wanted, options }: Asked, between: Change): Promise<void> {
    let places: { cursor?: string }[] = this.#both.map(() => ({}));
    for (let pages = 0; ; pages += 1) {
      const [one, other] = await Promise.all(
        this.#both.map(({ memory }, side) =>
          memory.searchPage(wanted, { scopes: where, ...options, ...places[side] }),
        ),
      );
      expect(one?.scanned_records).toBe(other?.scanned_records);
      expect(one?.matches.map(shown)).toEqual(other?.matches.map(shown));
      const cursors = [one?.next_cursor ?? null, other?.next_cursor ?? null];
      expect(cursors[0] === null).toBe(cursors[1] === null);
      if (cursors[0] === null) return;
      places = cursors.map((cursor) => (cursor === null ? {} : { cursor }));
      if (pages < 3) await this.write(between);
    }
  }
}

/** Returns a match without the ids that differ on both sides. */
function shown({ record: { record_id: _, author: _author, ...rest }, ...match }: SearchMatch) {
  return { ...match, rest };
}

async function memoryOf(keep: Keep): Promise<ScopedMemory> {
  const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'a', scopes });
  return agent.memory.in(scope);
}

describe('ranked searches', () => {
  test('find with known facts what they find without, while others write', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 20, maxLength: 60, size: 'max' }),
        fc.constantFrom(1, 4),
        fc.array(fc.tuple(asked, change), { minLength: 4, maxLength: 10, size: 'max' }),
        async (first, times, rounds) => {
          const clock = new ManualClock();
          const open = (queryCacheBytes: number) =>
            openKeep({ store: inMemoryStore(), clock, queryCacheBytes });
          await using cached = await open(2 ** 22);
          await using plain = await open(0);
          const twins = new Twins(clock, [await Side.of(cached), await Side.of(plain)]);
          for (let time = 0; time < times; time += 1) {
            for (const [at, each] of first.entries()) {
              await twins.write({ kind: 'create', at, record: each });
            }
          }
          for (const [search, between] of rounds) {
            await twins.compare(search, between);
            await twins.write(between);
          }
        },
      ),
      { numRuns: 8 },
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

  test('read no records to count, once facts are known', async () => {
    await using keep = await openKeep({ store: inMemoryStore() });
    const memory = await memoryOf(keep);
    for (const n of [1, 2, 'a'.repeat(65)]) {
      const content = { primary: 'tea', data: { n } };
      await memory.create({ content, tags: ['x'], metadata: { n } });
    }
    const read = async (wanted: SearchFilterInput) => {
      const page = await memory.searchPage(wanted, { counts: { by: [] }, explain: true });
      return [page.counts?.matches, page.explanation?.records];
    };
    const filters: readonly SearchFilterInput[] = [
      { tags: { any: ['x'], none: ['y'] } },
      { episode_types: ['Observation', 'Error'] },
      { members: [{ of: 'data', path: [], exists: true }] },
      { members: [{ of: 'metadata', path: ['n'], at_least: 1 }], embedded: false },
      { author: { subject_id: 'a' }, created: { from_millis: 0 }, modified: { from_millis: 0 } },
      { expired: 'included', valid_at_millis: 9e12, name_prefix: 'b' },
    ];
    const counts: unknown[] = [];
    for (const wanted of filters) {
      expect((await read(wanted))[1]).toBe(3);
      counts.push(await read(wanted));
    }
    // Objects and long texts are not held, so that their records are read again.
    expect(counts).toEqual([
      [3, 0],
      [3, 0],
      [3, 3],
      [2, 1],
      [3, 0],
      [0, 0],
    ]);
  });

  test('of several scopes leave nothing out for what a page does not reach', async () => {
    await using keep = await openKeep({ store: inMemoryStore() });
    const agent = await agentFor(keep, { tenantId: 'acme', subjectId: 'a', scopes });
    const { memory } = agent;
    const create = async (place: ScopeInput, event_time_millis: number) => {
      const content = { primary: 'tea' };
      const record = { episode_type: 'Observation' as const, content, event_time_millis };
      return (await memory.in(place).create(record)).record_id;
    };
    const best = await create(scope, 10);
    for (let index = 0; index < 5; index += 1) await create(otherScope, 0);
    const second = await create(scope, 5);
    const options = { order: 'newest_event', limit: 1 } as const;
    const pages = async (scanLimit: number, afterFirst: () => Promise<unknown>) => {
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const place: { cursor?: string } = cursor === null ? {} : { cursor };
        const page = await memory.searchPage({}, { scopes, ...options, scanLimit, ...place });
        found.push(...page.matches.map(({ record: { record_id } }) => record_id));
        if (cursor === null) await afterFirst();
        cursor = page.next_cursor;
      } while (cursor !== null);
      return found;
    };
    expect((await pages(100, () => Promise.resolve())).slice(0, 2)).toEqual([best, second]);
    const remove = () => memory.in(scope).delete({ recordId: best, expectedRevision: 1 });
    expect((await pages(3, remove))[0]).toBe(second);
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
    const { queryCache } = keep;
    for (let round = 0; round < 3; round += 1) {
      const words = { text: 'tea rice', match: 'any', forms: 'english' } as const;
      const members = [{ of: 'metadata' as const, path: [`${round}`], exists: false }];
      const page = await memory.searchPage({ words, members }, { counts: { by: [] } });
      expect(page.counts?.matches).toBe(600);
      expect(queryCache?.bytes).toBeLessThanOrEqual(2 ** 20);
    }
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
