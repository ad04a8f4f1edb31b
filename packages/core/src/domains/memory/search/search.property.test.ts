/**
 * Searches find what a slow model of the contract finds, page by page, while others write
 * (docs/contract/search.md#sea-21).
 */
import {
  pageOfSearch,
  type Search,
  type SearchedPage,
  type SearchStart,
} from '@agentkeep/testkit/memory-search-model';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Scope } from '../../../kernel/access/scope.js';
import type { ScopedMemory } from '../../../client/scoped-memory.js';
import { openKeep } from '../../../keep/open-keep.js';
import { agentFor } from '../../../operator.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import type { MemoryRecord, RecordInput } from '../documents/schema.js';

const scopes = ['one', 'two'].map((agent_id): Scope => ({
  project_id: 'p',
  mission_id: null,
  agent_id,
  visibility: 'shared',
}));

/** Letters that differ in case or marks only, scripts without spaces, and what separates words. */
const letters = [
  ...['a', 'A', 'á', 'a\u0301', 'b', 'ß', 'σ', 'ς', 'Σ', 'İ', 'k', '\u212a', '𐐀', '𐐨', '_', '7'],
  ...[
    '東',
    '京',
    'ー',
    'カ',
    'ไ',
    'ท',
    'ั',
    '\u0301',
    '한',
    ' ',
    ' ',
    ' ',
    '-',
    '*',
    '"',
    '。',
    '😀',
  ],
];
const letterText = fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 });
/** Words that meet again, in texts and searches. */
const wordsText = fc
  .array(fc.constantFrom('b', 'ab', 'áb', 'á', 'Σσς', '한한', '東京'), { maxLength: 4 })
  .map((words) => words.join(' '));
const text = fc.oneof(letterText, wordsText);
const tags = fc.array(fc.constantFrom('x', 'y', 'z'), { maxLength: 2 });
const time = fc.constantFrom(-3, -2, -1, 0, 1, 2, 3, 86_400_000);
const value = fc.constantFrom(null, 0, 1, 'a', 'b', [1, 'a'], { a: 1 }, { a: { b: [] } });

/** Few values, so that distances meet. */
const vectorOf = (dimension: number) =>
  fc.array(fc.constantFrom(0, 1, -1, 0.1, 1e30), { minLength: dimension, maxLength: dimension });

const record: fc.Arbitrary<RecordInput> = fc.record({
  episode_type: fc.constantFrom<RecordInput['episode_type'][]>('Error', { Custom: 'Error' }),
  content: fc.record({
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    data: value,
    embedding: fc.option(fc.oneof(vectorOf(3), vectorOf(3), fc.constantFrom<number[][]>([], [1]))),
  }),
  event_time_millis: time,
  valid_until_millis: fc.constantFrom(null, 4e12),
  tags,
  metadata: fc.record({ a: value, b: value }, { requiredKeys: [] }),
});

const wordText = fc
  .array(
    fc.oneof(
      text,
      text.map((it) => `"${it}"`),
      text.map((it) => `${it.trim()}*`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => `${parts.join(' ')} b`);
const optional = { requiredKeys: [] };
const filter = fc.record(
  {
    words: fc.record(
      {
        text: wordText,
        match: fc.constantFrom('all' as const, 'any' as const),
        diacritics: fc.constantFrom('exact' as const, 'ignored' as const),
      },
      { requiredKeys: ['text'] },
    ),
    text_contains: text.map((it) => Array.from(it).slice(0, 2).join('')),
    tags: fc.record({ any: fc.constant(['x', 'y']), none: fc.constant(['z']) }, optional),
    event_time: fc.record({ from_millis: time, before_millis: time }, optional),
    embedded: fc.boolean(),
    author: fc.record({ subject_id: fc.constantFrom('helper', 'other') }),
    created: fc.record({ from_millis: time }),
    expired: fc.constantFrom('hidden' as const, 'only' as const, 'included' as const),
    valid_at_millis: time,
    members: fc.array(
      fc.record(
        {
          of: fc.constantFrom('data' as const, 'metadata' as const),
          path: fc.array(fc.constantFrom('a', 'b'), { maxLength: 2 }),
          exists: fc.boolean(),
          equals: value,
          above: fc.constantFrom(0, 'a'),
          none_of: fc.array(value, { minLength: 1, maxLength: 2 }),
          contains: value,
        },
        { requiredKeys: ['of', 'path'] },
      ),
      { minLength: 1, maxLength: 2 },
    ),
  },
  optional,
);
/** Seldom with many members, which together seldom leave a record. */
const someFilter = fc
  .tuple(filter, fc.constantFrom(1, 1, 2, 9), fc.nat(9))
  .map(([all, count, from]) => {
    const entries = Object.entries(all);
    return Object.fromEntries([...entries.slice(from), ...entries].slice(0, count));
  });
const search = fc
  .record(
    {
      scopes: fc.constantFrom([scopes[0]!], scopes, scopes.toReversed()),
      filter: someFilter,
      order: fc.constantFrom(
        ...(['newest', 'oldest', 'newest_event', 'oldest_event'] as const),
        ...(['newest_change', 'oldest_change'] as const),
      ),
      highlights: fc.boolean(),
      counts: fc.record({
        by: fc.subarray([
          ...(['type', 'tag', 'author', 'event_day', 'created_day', 'modified_day'] as const),
        ]),
      }),
      limit: fc.integer({ min: 1, max: 5 }),
      scan_limit: fc.integer({ min: 1, max: 9 }),
    },
    { requiredKeys: ['scopes'] },
  )
  .map((drawn): Search => {
    // Members that are absent, not undefined; counts go by ids.
    const { counts, ...shown } = drawn as unknown as Search;
    if (shown.limit !== undefined || counts === undefined) return shown;
    const order = shown.order?.startsWith('oldest') === true ? 'oldest' : 'newest';
    return { ...shown, counts, order };
  })
  .chain((drawn) => {
    const isWordy = drawn.filter?.words !== undefined && drawn.counts === undefined;
    const order = isWordy
      ? fc.constantFrom(drawn.order, 'most_words' as const, 'rarest_words', 'best_words')
      : null;
    return order === null ? fc.constant(drawn) : order.map((each) => withOrder(drawn, each));
  });

const nearest = fc
  .tuple(search, vectorOf(3), fc.constantFrom('cosine' as const, 'dot', 'euclidean'))
  .map(([{ counts: _counts, ...drawn }, values, metric]): Search => ({
    ...drawn,
    order: 'nearest',
    vector: { values: values.every((each) => each === 0) ? [1, 0, 0] : values, metric },
  }));

const hybrid = fc
  .tuple(nearest, wordText, fc.constantFrom('all' as const, 'any' as const))
  .map(([drawn, wanted, match]): Search => ({
    ...drawn,
    order: 'hybrid',
    words: { text: wanted, match },
  }));

/** Members that are absent, not undefined. */
function withoutUndefined<T extends object>(members: T): { [M in keyof T]?: NonNullable<T[M]> } {
  const given = Object.entries(members).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [M in keyof T]?: NonNullable<T[M]> };
}

function withOrder(search: Search, order: Search['order']): Search {
  return order === undefined ? search : { ...search, order };
}
const write = fc.record({
  kind: fc.constantFrom('create' as const, 'create' as const, 'update' as const, 'delete' as const),
  at: fc.nat(1_000),
  scope: fc.constantFrom(...scopes),
  record,
});

/** Returns the page of the model; `undefined` if it refuses the search. */
function expectedPage(page: () => SearchedPage): SearchedPage | undefined {
  try {
    return page();
  } catch {
    return undefined;
  }
}

/** A record, or the rest of a deleted one. */
interface Known {
  readonly space: string;
  readonly scope: Scope;
  readonly record: Omit<MemoryRecord, 'payload'> & {
    readonly payload: MemoryRecord['payload'] | null;
  };
}

type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

/** Writes records and remembers what they are. */
class History {
  readonly memory: ScopedMemory;
  readonly #known = new Map<string, Known>();

  constructor(memory: ScopedMemory) {
    this.memory = memory;
  }

  get records(): readonly Known[] {
    return [...this.#known.values()];
  }

  async runAll(writes: readonly Write[]): Promise<void> {
    for (const each of writes) await this.#run(each);
  }

  async #run({ kind, at, scope, record: payload }: Write): Promise<void> {
    const { memory, records } = this;
    const entry = records[at % Math.max(1, records.length)];
    if (kind === 'create' || entry === undefined) {
      const { record_id } = await memory.in(scope).create(payload);
      const made = await memory.in(scope).read(record_id);
      this.#known.set(record_id, { space: scope.agent_id, record: made, scope });
      return;
    }
    if (entry.record.payload === null) return;
    const { record_id: recordId, revision: expectedRevision } = entry.record;
    const target = { recordId, expectedRevision };
    if (kind === 'delete') {
      await memory.in(entry.scope).delete(target);
      this.#known.set(recordId, { ...entry, record: { ...entry.record, payload: null } });
    } else {
      await memory.in(entry.scope).update(target, payload);
      this.#known.set(recordId, { ...entry, record: await memory.in(entry.scope).read(recordId) });
    }
  }

  /** Compares what a search says of a record with all that the model finds. */
  async explain(asked: Search, at: number): Promise<void> {
    const { record } = this.records[at % this.records.length]!;
    const { scopes: where, filter: wanted, order, vector, words, highlights } = asked;
    const asking = withoutUndefined({ order, vector, words, highlights });
    const search = {
      ...asking,
      scopes: where,
      ...withoutUndefined({ filter: wanted }),
      limit: 100,
    };
    const spaces = new Map(where.map((each) => [each.agent_id, each as Scope]));
    const now = Date.now();
    const told = expectedPage(() =>
      pageOfSearch(this.records, spaces, { search, cursor: {}, now }),
    );
    if (told === undefined) return;
    const options = { ...asking, scopes: where, limit: 1, explainRecord: record.record_id };
    const { record_explanation } = await this.memory.searchPage(wanted, options);
    const index = told.matches.findIndex(
      ({ record: { record_id: id } }) => id === record.record_id,
    );
    expect(record_explanation?.place).toBe(index === -1 ? null : index + 1);
    expect(record_explanation?.match).toEqual(told.matches[index]);
  }

  /**
   * Walks through a search, compares each page, and writes between two; returns the matches. With
   * the oldest change first, updates keep ahead of the walk for ever, so it ends after 60 pages.
   */
  async walk(asked: Search, between: readonly Write[]): Promise<number> {
    const { scopes: where, filter: wanted, scan_limit: scanLimit, ...rest } = asked;
    const options = scanLimit === undefined ? rest : { ...rest, scanLimit };
    const spaces = new Map(where.map((each) => [each.agent_id, each as Scope]));
    let place: SearchStart = {};
    let cursor: string | null = null;
    const seen = new Set<string>();
    let pages = 0;
    do {
      const position: { cursor?: string } = cursor === null ? {} : { cursor };
      const ask = () => this.memory.searchPage(wanted, { scopes: where, ...options, ...position });
      const now = Date.now();
      const told = expectedPage(() =>
        pageOfSearch(this.records, spaces, { search: asked, cursor: place, now }),
      );
      if (told === undefined) {
        await expect(ask()).rejects.toMatchObject({ code: 'invalid_request' });
        return seen.size;
      }
      const page = await ask();
      // Another time with what the first search learned.
      expect(await ask()).toEqual({ ...page, next_cursor: page.next_cursor });
      expect(page.matches).toEqual(told.matches);
      expect(page.scanned_records).toBe(told.scanned);
      expect(page.counts).toEqual(told.counts);
      expect(page.next_cursor === null).toBe(told.next === undefined);
      for (const { record: each } of page.matches) {
        // A record that changes its place may be met again.
        expect(seen.has(`${each.record_id} ${each.revision}`)).toBe(false);
        seen.add(`${each.record_id} ${each.revision}`);
      }
      place = told.next ?? {};
      cursor = page.next_cursor;
      await this.runAll(between);
      pages += 1;
    } while (cursor !== null && this.records.length < 60 && pages < 60);
    return seen.size;
  }
}

test('searches find what a slow model finds, while others write', async () => {
  let found = 0;
  const searches = fc.tuple(
    fc.oneof({ arbitrary: search, weight: 3 }, nearest, hybrid),
    fc.array(write, { maxLength: 6, size: 'max' }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { minLength: 5, maxLength: 20, size: 'max' }),
      fc.array(searches, { minLength: 1, maxLength: 6 }),
      fc.constantFrom(0, 2 ** 20),
      async (first, asked, queryCacheBytes) => {
        await using keep = await openKeep({ store: inMemoryStore(), queryCacheBytes });
        const helper = { tenantId: 'acme', subjectId: 'helper', scopes };
        const history = new History((await agentFor(keep, helper)).memory);
        await history.runAll(first);
        for (const [each, between] of asked) {
          await history.explain(each, found);
          found += await history.walk(each, between);
        }
      },
    ),
    { numRuns: 80 },
  );
  expect(found).toBeGreaterThan(100);
});
