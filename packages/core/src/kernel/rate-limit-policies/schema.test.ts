/** The schemas of the documents of rate limit policies. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { CreateRateLimitRequest, UpdateRateLimitRequest } from './schema.js';

const good = { name: 'Mine', endpoint_type: 'Login', max_requests: 5, window_secs: 60 };

describe('CreateRateLimitRequest', () => {
  test('is enabled by default', () => {
    expect(v.parse(CreateRateLimitRequest, good)).toEqual({ ...good, enabled: true });
  });

  test.each([
    { enabled: false },
    { endpoint_type: 'GeneralApi' },
    { endpoint_type: { Custom: '/api/v1/memory' } },
    { max_requests: 1, window_secs: 1 },
    { max_requests: 1_000_000_000, window_secs: 86_400 },
  ])('takes %j', (change) => {
    expect(v.is(CreateRateLimitRequest, { ...good, ...change })).toBe(true);
  });

  test.each([
    { name: '' },
    { name: ' ' },
    { name: 'a\nb' },
    { name: 'x'.repeat(257) },
    { name: null },
    { name: undefined },
    { enabled: null },
    { enabled: 'true' },
    { endpoint_type: undefined },
    { endpoint_type: null },
    { endpoint_type: 'login' },
    { endpoint_type: 'Custom' },
    { endpoint_type: '/api/v1/memory' },
    { endpoint_type: {} },
    { endpoint_type: { Custom: '/a/' } },
    { endpoint_type: { Custom: ['/a'] } },
    { endpoint_type: { Custom: '/a', Login: '/b' } },
    { endpoint_type: ['Login'] },
    { max_requests: 0 },
    { max_requests: 1_000_000_001 },
    { max_requests: 1.5 },
    { max_requests: '5' },
    { window_secs: 0 },
    { window_secs: 86_401 },
    { window_secs: undefined },
    { created_by: 'me' },
  ])('refuses %j', (change) => {
    expect(v.is(CreateRateLimitRequest, { ...good, ...change })).toBe(false);
  });
});

describe('UpdateRateLimitRequest', () => {
  test.each([{}, { name: 'Other' }, { max_requests: 7, window_secs: 1, enabled: false }])(
    'takes %j and adds nothing',
    (change) => {
      expect(v.parse(UpdateRateLimitRequest, change)).toEqual(change);
    },
  );

  test.each([
    { endpoint_type: 'Login' },
    { id: '7' },
    { name: null },
    { enabled: null },
    { max_requests: 0 },
    { window_secs: -1 },
    [],
  ])('refuses %j', (change) => {
    expect(v.is(UpdateRateLimitRequest, change)).toBe(false);
  });
});
