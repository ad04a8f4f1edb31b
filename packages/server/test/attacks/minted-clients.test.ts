/**
 * A tenant that makes credentials to have more clients: all of them together are limited
 * (docs/contract/rate-limits.md#rtl-39).
 */
import { expect, test } from 'vitest';
import { outcome } from '@agentkeep/contract-cases/answer';
import { minimalSpec } from '@agentkeep/contract-cases/documents';
import { drivers } from '@agentkeep/contract-cases/drivers';
import { tenant } from '@agentkeep/contract-cases/fixture';
import { appOf, httpTransport } from '@agentkeep/contract-cases/http-driver';

const identity = {
  id: '01900000-0000-7000-8000-00000000000a',
  name: 'identity',
  endpointType: { Custom: '/api/v1/identity' },
  maxRequests: 2,
  windowSecs: 3_600,
  enabled: true,
  createdAtMillis: 0,
  updatedAtMillis: 0,
  createdBy: 'system',
} as const;

test('RTL-39 fresh credentials give a tenant no further requests, and cost no other tenant any', async () => {
  await using t = await tenant(drivers[0]!);
  const call = httpTransport(appOf(t.keep, { rateLimitPolicies: [identity] }));
  const other = await t.foreignAdmin();
  const outcomes: string[] = [];
  for (let made = 0; made < 15; made += 1) {
    const { token } = await t.admin.appoint({ ...minimalSpec, subject_id: `s${String(made)}` });
    for (let sent = 0; sent < 2; sent += 1) outcomes.push(outcome(await call('whoAmI', token, {})));
  }
  expect(outcomes.filter((each) => each === '200')).toHaveLength(20);
  expect(new Set(outcomes.slice(20))).toEqual(new Set(['429 rate_limit_exceeded']));
  expect(outcome(await call('whoAmI', other.token, {}))).toBe('200');
});
