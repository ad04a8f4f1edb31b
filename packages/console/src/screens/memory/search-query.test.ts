/** Searches of addresses. */
import { expect, test } from 'vitest';
import { writeConditions } from './member-conditions.js';
import { wrongTimes } from './search-filter.js';
import { possibleOrders, searchOfQuery } from './search-query.js';

const ID = '0196b0f0-0000-7000-8000-000000000001';

test('reads every filter, the order and the moment', () => {
  const query = new URLSearchParams({
    q: ' who? ',
    order: 'hybrid',
    words: 'tea',
    match: 'any',
    marks: 'ignored',
    forms: 'english',
    text: 'green',
    tags: 'a, b,,a',
    any_tag: 'c',
    no_tag: 'd',
    type: 'Decision,Error',
    custom: 'Visit',
    source: 'user,tool',
    by: 'ann',
    by_credential: ID,
    name: 'user/',
    from: ID,
    revision: '2',
    expired: 'only',
    since: '2026-01-01T00:00:00Z',
    created_before: '2026-01-02T00:00:00Z',
    changed_from: '2026-01-03T00:00:00Z',
    valid_at: '2026-01-04T00:00:00Z',
    embedded: 'no',
    space: 'small',
    near: '[0.5, 1]',
    metric: 'dot',
    at: '1700000000000',
  });
  expect(searchOfQuery(query)).toEqual({
    question: 'who?',
    order: 'hybrid',
    words: { text: 'tea', match: 'any', diacritics: 'ignored', forms: 'english' },
    near: { from: { values: [0.5, 1] }, metric: 'dot' },
    space: 'small',
    hasFilters: true,
    atMillis: 1_700_000_000_000,
    filter: {
      text_contains: 'green',
      tags: { all: ['a', 'b'], any: ['c'], none: ['d'] },
      episode_types: ['Decision', 'Error', { Custom: 'Visit' }],
      sources: ['user', 'tool'],
      author: { subject_id: 'ann', credential_id: ID },
      derived_from: { record_id: ID, revision: 2 },
      name_prefix: 'user/',
      expired: 'only',
      embedded: false,
      event_time: { from_millis: 1_767_225_600_000, before_millis: null },
      created: { from_millis: null, before_millis: 1_767_312_000_000 },
      modified: { from_millis: 1_767_398_400_000, before_millis: null },
      valid_at_millis: 1_767_484_800_000,
    },
  });
});

test('reads conditions on metadata and data', () => {
  const where = writeConditions([
    { of: 'metadata', path: 'customer.age', operator: 'at_least', value: '18' },
    { of: 'data', path: '["a.b"]', operator: 'equals', value: 'red' },
    { of: 'data', path: '', operator: 'missing', value: '' },
    { of: 'metadata', path: 'size', operator: 'one_of', value: 'S, 4' },
    { of: 'metadata', path: 'half', operator: 'below', value: '' },
    { of: 'metadata', path: 'owner', operator: 'equals', value: 'null' },
  ]);
  expect(searchOfQuery(new URLSearchParams({ where })).filter.members).toEqual([
    { of: 'metadata', path: ['customer', 'age'], at_least: 18 },
    { of: 'data', path: ['a.b'], equals: 'red' },
    { of: 'data', path: [], exists: false },
    { of: 'metadata', path: ['size'], one_of: ['S', 4] },
    { of: 'metadata', path: ['owner'], equals: null },
  ]);
});

test('leaves out what is stated wrongly', () => {
  const wrong = { order: 'best', type: 'x', at: '-1', since: 'soon', from: 'x', near: 'home' };
  const query = new URLSearchParams({ ...wrong, where: '[["text","a","equals","b"],1]' });
  const { order, filter, near, atMillis } = searchOfQuery(query);
  expect([order, filter, near, atMillis]).toEqual([
    ...['newest', { expired: 'hidden' }],
    ...[undefined, undefined],
  ]);
});

test('offers the orders that words and a vector allow', () => {
  const { words, near } = searchOfQuery(new URLSearchParams({ words: 'tea', near: ID }));
  expect(near).toEqual({ from: { recordId: ID }, metric: 'cosine' });
  const extra = (given: Parameters<typeof possibleOrders>[0]) => possibleOrders(given).slice(6);
  expect(extra({ words: undefined, near: undefined })).toEqual([]);
  expect(extra({ words, near: undefined })).toEqual(['most_words', 'rarest_words', 'best_words']);
  expect(extra({ words: undefined, near })).toEqual(['nearest']);
  expect(extra({ words, near })).toEqual([
    'most_words',
    'rarest_words',
    'best_words',
    'nearest',
    'hybrid',
  ]);
});

test('CSL-44 times of an address that are none are named', () => {
  const address = 'since=Chapter+5&until=2035-02-31T00:00&valid_at=2035-02-28T00:00:00Z';
  expect(wrongTimes(new URLSearchParams(address))).toEqual(['since', 'until']);
});
