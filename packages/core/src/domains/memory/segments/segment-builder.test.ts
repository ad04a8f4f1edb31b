/** Facts of records stay with their entries when segments are changed and joined. */
import { expect, test } from 'vitest';
import { keyBytes } from '../../../storage/store/bytes.js';
import { searchLayout, type StoredSearchEntry } from '../record/search-entry.js';
import { AFTER_ALL, BEFORE_ALL, idTextOf } from './columns/id-text.js';
import type { Segment } from './segment.js';
import { SegmentBuilder } from './segment-builder.js';

const idAt = (index: number): string =>
  `018f0000-0000-7000-8000-${index.toString(16).padStart(12, '0')}`;

function entryOf(text: string): StoredSearchEntry {
  const parts = { type: 'Error', tags: [], texts: [text], validUntilMillis: null, eventMillis: 0 };
  const bytes = searchLayout.encode({ revision: 1, parts }, 0, 0);
  return searchLayout.decode({ bytes, start: 0, end: bytes.length });
}

/** Returns a segment of entries whose facts are their indexes. */
function segmentOf(
  builder: SegmentBuilder,
  indexes: readonly number[],
  after: string,
  through: string,
) {
  builder.begin(after);
  for (const index of indexes)
    builder.add(entryOf(`text ${index}`), keyBytes(idTextOf(idAt(index))));
  const [segment] = builder.finish(through);
  for (const index of indexes) {
    const times = { eventMillis: index, modifiedMillis: -index };
    const ranks = { ...times, space: 'default', embedding: [index, 1] };
    const values = [{ name: 'number', value: index % 2 === 0 ? index : `odd ${index}` }];
    segment?.learn({ recordId: idAt(index), ranks, values });
  }
  return segment as Segment;
}

/** Returns what is known of entries: event, change, length of the embedding, and the number. */
function factsIn({ facts }: Segment, count: number) {
  const vectors = facts?.embeddingsIn('default')?.vectors;
  const column = facts?.columns?.use('number');
  return Array.from({ length: count }, (_, at) => {
    const number = column?.numbers[at] ?? 0;
    const value = number === 0 ? undefined : column?.values[number - 1];
    return facts?.isKnown(at) === true
      ? [facts.eventMillis[at], facts.modifiedMillis[at], vectors?.lengths[at], value]
      : value;
  });
}

const known = (index: number): unknown[] => [
  ...[index, -index, Math.hypot(index, 1)].map((it): unknown => expect.closeTo(it)),
  index % 2 === 0 ? index : `odd ${index}`,
];

test('a patch keeps the facts of all entries but those that were written', () => {
  const builder = new SegmentBuilder();
  const segment = segmentOf(builder, [1, 2, 3, 5, 6], BEFORE_ALL, AFTER_ALL);
  const patched = builder.patch(segment, [
    { idText: idTextOf(idAt(2)), entry: null },
    { idText: idTextOf(idAt(4)), entry: entryOf('new') },
    { idText: idTextOf(idAt(5)), entry: entryOf('changed') },
  ]);
  expect(patched?.sizes.entries).toBe(5);
  const facts = factsIn(patched as Segment, 5);
  expect(facts).toEqual([known(1), known(3), undefined, undefined, known(6)]);
});

test('joined segments keep the facts of all entries', () => {
  const builder = new SegmentBuilder();
  const middle = idTextOf(idAt(2));
  const parts = [
    segmentOf(builder, [1, 2], BEFORE_ALL, middle),
    segmentOf(builder, [3, 4], middle, AFTER_ALL),
  ];
  const joined = builder.join(parts);
  expect(factsIn(joined as Segment, 4)).toEqual([1, 2, 3, 4].map(known));
});
