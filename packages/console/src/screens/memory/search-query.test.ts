/** Searches of addresses. */
import { expect, test } from 'vitest';
import { searchOfQuery } from './search-query.js';

test('reads every filter, the order and the moment', () => {
  const query = new URLSearchParams({
    q: ' who? ',
    order: 'oldest_event',
    words: 'tea',
    text: 'green',
    tags: 'a, b,,a',
    type: 'Decision',
    source: 'user',
    by: 'ann',
    name: 'user/',
    expired: 'only',
    since: '2026-01-01T00:00:00Z',
    at: '1700000000000',
  });
  expect(searchOfQuery(query)).toEqual({
    question: 'who?',
    order: 'oldest_event',
    words: 'tea',
    hasFilters: true,
    atMillis: 1_700_000_000_000,
    filter: {
      text_contains: 'green',
      tags: { all: ['a', 'b'] },
      episode_types: ['Decision'],
      sources: ['user'],
      author: { subject_id: 'ann' },
      name_prefix: 'user/',
      expired: 'only',
      event_time: { from_millis: 1_767_225_600_000, before_millis: null },
    },
  });
});

test('leaves out what is stated wrongly', () => {
  const query = new URLSearchParams({ order: 'best', type: 'x', at: '-1', since: 'soon' });
  const { order, filter, atMillis } = searchOfQuery(query);
  expect([order, filter, atMillis]).toEqual(['newest', { expired: 'hidden' }, undefined]);
});
