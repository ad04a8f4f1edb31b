/**
 * Scans through the segment cache give what plain scans of the store give, and what regular
 * expressions with the flags `iu` say, whatever was written in between.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { equated } from '@agentkeep/testkit/equated';
import type { Namespace } from '../../../kernel/access/namespace.js';
import type { ScanMemory, ScanPart } from '../../../kernel/ports/memory-scan.js';
import { inMemoryStore } from '../../../storage/in-memory-store/in-memory-store.js';
import type { Store } from '../../../storage/store/store.js';
import { memoryScan } from '../record/memory-store.js';
import { scanStored } from '../record/scan-memory.js';
import type { EpisodeType, RecordPayload } from '../documents/schema.js';
import { searchFilterOf, searchPartsOf } from '../record/search-entry.js';
import { scanThrough } from './scan-segments.js';
import { SegmentCache } from './segment-cache.js';

const namespaces = ['one', 'two', 'three'].map((name, index): Namespace => ({
  tenantId: index < 2 ? 'first' : 'second',
  digest: new Uint8Array(32).fill(7 + index),
  parts: [name, null, name, 'shared', null],
}));

const letters = ['a', 'A', 'b', 'σ', 'ς', 'Σ', 'k', 'K', 'ſ', 'ẞ', ' ', '𐐀', '𐐨'];
const text = fc.string({ unit: fc.constantFrom(...letters), maxLength: 8 });
const tag = fc.constantFrom('', 'a', 'A', 'ab', 'a b', 'Decision');
const type: fc.Arbitrary<EpisodeType> = fc.constantFrom<EpisodeType[]>(
  'Decision',
  'Conversation',
  { Custom: 'a' },
  { Custom: '' },
);
const NOW_MAX = 5;

const payload: fc.Arbitrary<RecordPayload> = fc.record({
  episode_type: type,
  content: fc.record({
    primary: text,
    secondary: fc.option(text),
    context: fc.option(text),
    data: fc.constant(null),
    embedding: fc.constant(null),
  }),
  event_time_millis: fc.constant(0),
  valid_until_millis: fc.option(fc.integer({ min: -1, max: NOW_MAX + 1 })),
  tags: fc.array(tag, { maxLength: 3 }),
  metadata: fc.constant({}),
});

const where = {
  namespace: fc.constantFrom(...namespaces),
  place: fc.integer({ min: 0, max: 40 }),
};
const write = fc.record({
  ...where,
  kind: fc.constant('write' as const),
  /** Of one body. Null is a tombstone, and absent removes the entry. */
  payloads: fc.dictionary(
    fc.integer({ min: 0, max: 40 }).map(String),
    fc.option(fc.option(payload), { freq: 8, nil: undefined }),
    { minKeys: 1, maxKeys: 4 },
  ),
});
const append = fc.record({ ...where, kind: fc.constant('append' as const), payload });
const wanted = fc.record({
  text: fc.option(fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 })),
  type: fc.option(type, { freq: 2 }),
  tags: fc.array(tag, { maxLength: 2 }),
});
const query = fc.record({
  ...where,
  kind: fc.constant('query' as const),
  wanted,
  after: fc.option(fc.integer({ min: 0, max: 45 }), { freq: 2 }),
  entries: fc.integer({ min: 1, max: 60 }),
  records: fc.integer({ min: 1, max: 20 }),
  nowMs: fc.integer({ min: 0, max: NOW_MAX }),
  isBackward: fc.boolean(),
});
const failure = fc.record({ ...where, kind: fc.constant('failure' as const) });

/** Appended records come behind all others, the cursor may be between two. */
const idAt = (place: number): string =>
  `018f0000-0000-7000-8000-${(2 * place).toString(16).padStart(12, '0')}`;

interface Page {
  readonly found: readonly (readonly [id: string, revision: number])[];
  readonly examined: number;
  readonly last: string | undefined;
}

/** Asks for parts until the bounds of the page. */
async function pageOf(store: Store, scan: ScanMemory, part: ScanPart): Promise<Page> {
  const found: [string, number][] = [];
  let examined = 0;
  let { after } = part;
  for (;;) {
    const entries = part.entries - examined;
    const records = part.records - found.length;
    const next = await store.read((tx) => scan(tx, { ...part, after, entries, records }));
    next.remember?.();
    for (const { recordId, revision } of next.matches) found.push([recordId, revision]);
    expect(next.matches.at(-1)?.examined ?? 0).toBeLessThanOrEqual(next.examined);
    examined += next.examined;
    after = next.last;
    const isEnd = after === undefined || examined === part.entries;
    if (isEnd || found.length === part.records) return { found, examined, last: after };
  }
}

/** What is stored of one namespace: payloads by id, null for tombstones, with revisions. */
type Model = Map<string, { payload: RecordPayload | null; revision: number }>;

function expectedPage(model: Model, step: ReturnType<typeof partOf>): Page {
  const part = equated(step.wanted.text ?? '');
  const found: [string, number][] = [];
  let examined = 0;
  const { after, isBackward = false } = step.part;
  const ids = [...model.keys()].toSorted();
  for (const id of isBackward ? ids.toReversed() : ids) {
    if (after !== undefined && (isBackward ? id >= after : id <= after)) continue;
    const { payload: it, revision } = model.get(id) ?? { payload: null, revision: 0 };
    examined += 1;
    if (it !== null && isMatch(it, part, step)) found.push([id, revision]);
    if (examined === step.part.entries || found.length === step.part.records) {
      return { found, examined, last: id };
    }
  }
  return { found, examined, last: undefined };
}

/** Returns how many entries a page passes once its own are used up. None of them may match. */
async function passedBehind(
  { store, scan, model }: { store: Store; scan: ScanMemory; model: Model },
  asked: ReturnType<typeof partOf>,
  page: Page,
): Promise<number> {
  const passing = await pageOf(store, scan, { ...asked.part, isPassing: true });
  expect(passing).toEqual({ ...page, last: passing.last });
  const [from, to] = [page.last, passing.last];
  if (from === to || from === undefined) return 0;
  const isPast = (id: string, end: string) =>
    asked.part.isBackward === true ? id < end : id > end;
  const isPassed = (id: string) => isPast(id, from) && (to === undefined || !isPast(id, to));
  const rest = { ...asked.part, after: from, entries: 100, records: 100 };
  const behind = expectedPage(model, { ...asked, part: rest });
  expect(behind.found.filter(([id]) => isPassed(id))).toEqual([]);
  return [...model.keys()].filter(isPassed).length;
}

function isMatch(
  { content, tags, episode_type, valid_until_millis: end }: RecordPayload,
  wantedPart: string,
  { wanted: filter, part }: ReturnType<typeof partOf>,
): boolean {
  const { primary, secondary, context } = content;
  return (
    (end === null || part.nowMs < end) &&
    [primary, secondary, context].some((it) => it !== null && equated(it).includes(wantedPart)) &&
    (filter.type === null || JSON.stringify(filter.type) === JSON.stringify(episode_type)) &&
    filter.tags.every((it) => tags.includes(it))
  );
}

function partOf(step: typeof query extends fc.Arbitrary<infer Q> ? Q : never) {
  const { namespace, entries, records, nowMs, isBackward } = step;
  // Odd numbers lie between two ids.
  const after = step.after === null ? undefined : idAt(step.after / 2);
  const filter = searchFilterOf(step.wanted);
  const part: ScanPart = { namespace, filter, nowMs, after, entries, records, isBackward };
  return { part, wanted: step.wanted };
}

test('scans through segments find what plain scans and regular expressions find', async () => {
  const step = fc.oneof(
    { arbitrary: write, weight: 4 },
    { arbitrary: append, weight: 4 },
    { arbitrary: query, weight: 8 },
    { arbitrary: failure, weight: 1 },
  );
  const histories = fc.array(step, { maxLength: 80, size: 'max' });
  const limits = fc.record({
    entries: fc.integer({ min: 2, max: 8 }),
    bytes: fc.integer({ min: 40, max: 400 }),
  });
  const seen = { held: 0, filled: 0, passed: 0 };
  await fc.assert(
    fc.asyncProperty(
      histories,
      limits,
      fc.integer({ min: 0, max: 40_000 }),
      async (steps, small, maxBytes) => {
        const store = inMemoryStore();
        const cache = new SegmentCache({ maxBytes, limits: small });
        store.observe?.(cache);
        const scan = scanThrough(cache);
        const models = new Map<Namespace, Model>();
        for (const it of namespaces) models.set(it, new Map());
        let revision = 0;
        let end = 41;
        for (const each of steps) {
          const { namespace } = each;
          const model = models.get(namespace) ?? new Map<string, never>();
          if (each.kind === 'failure') cache.failed();
          if (each.kind === 'query') {
            const asked = partOf(each);
            const page = await pageOf(store, scan, asked.part);
            expect(page).toEqual(expectedPage(model, asked));
            expect(page).toEqual(await pageOf(store, scanStored, asked.part));
            seen.passed += await passedBehind({ store, scan, model }, asked, page);
            seen.held += Number(cache.bytes > 0);
            seen.filled += Number(maxBytes > 0 && cache.bytes + 3_000 > maxBytes);
          }
          if (each.kind === 'write' || each.kind === 'append') {
            const payloads = each.kind === 'append' ? { [end++]: each.payload } : each.payloads;
            revision += 1;
            await store.transact((tx) => {
              const { tenantId, digest } = namespace;
              for (const [place, it] of Object.entries(payloads)) {
                const id = idAt(Number(place));
                if (it === undefined) tx.remove(memoryScan.keyOf(tenantId, digest, id));
                else {
                  const parts = it === null ? null : searchPartsOf(it);
                  memoryScan.put(tx, { revision, parts }, tenantId, digest, id);
                }
              }
            });
            for (const [place, it] of Object.entries(payloads)) {
              if (it === undefined) model.delete(idAt(Number(place)));
              else model.set(idAt(Number(place)), { payload: it, revision });
            }
          }
          expect(cache.bytes).toBeLessThanOrEqual(maxBytes);
        }
        await store.close();
      },
    ),
    { numRuns: 300 },
  );
  expect(seen.held).toBeGreaterThan(300);
  expect(seen.filled).toBeGreaterThan(30);
  expect(seen.passed).toBeGreaterThan(100);
});
