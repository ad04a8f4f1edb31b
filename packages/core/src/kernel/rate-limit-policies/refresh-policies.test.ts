/** A rate limit policy changed by another server applies to the next call of any caller. */
import { describe, expect, test } from 'vitest';
import { putMarker } from '../installation/marker-store.js';
import { operations } from '../../domains.js';
import { embeddedInput } from '../input/input.js';
import { administrator, codeOf, type Server, twoServers } from '../../../test/servers.js';
import { policyRefresh } from './stored-policies.js';
import { listPolicies, putPolicy } from './rate-limit-store.js';
import { RateLimiter } from '../rate-limit/rate-limiter.js';

const LOGIN = '/api/v1/login';
const policy = { name: 'tight', endpointType: 'Login', maxRequests: 3, windowSecs: 60 } as const;

/** Returns the limit under which a call is counted. */
async function limitSeenBy({ keep }: Server, token?: string): Promise<number> {
  let limit = 0;
  const proof = token === undefined ? {} : { proof: { kind: 'bearer', token } as const };
  const countRequest = () => {
    limit = keep.rateLimiter.peek(LOGIN, 'a').limit;
  };
  await keep.countRequest({ ...proof, countRequest });
  return limit;
}

describe('a policy made on one server', () => {
  test('applies to the next call on the other server', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    const root = await administrator(one);
    expect(await limitSeenBy(other)).toBe(100);
    const made = await root.rateLimits.create(policy);
    expect(await limitSeenBy(other)).toBe(3);
    await root.rateLimits.update(made.id, { maxRequests: 7 });
    expect(await limitSeenBy(other)).toBe(7);
    await root.rateLimits.delete(made.id);
    expect(await limitSeenBy(other)).toBe(100);
  });

  test('applies to a login, which checks no proof', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await (await administrator(one)).rateLimits.create(policy);
    let limit = 0;
    const document = { username: 'root', password: 'wrong' };
    const login = other.keep.invoke(operations.authLogin, embeddedInput({ document }), {
      countRequest: () => {
        limit = other.keep.rateLimiter.peek(LOGIN, 'a').limit;
      },
    });
    expect(await codeOf(login)).toBe('invalid_login');
    expect(limit).toBe(3);
  });

  test('RTL-30 does not share its buckets with the other server', async () => {
    await using servers = await twoServers();
    const { one, other } = servers;
    await (await administrator(one)).rateLimits.create(policy);
    await limitSeenBy(other);
    for (const { keep } of [one, other]) {
      for (let request = 0; request < 3; request += 1) {
        expect(keep.rateLimiter.take(LOGIN, 'a').type).toBe('allowed');
      }
      expect(keep.rateLimiter.take(LOGIN, 'a').type).toBe('refused');
    }
  });

  test('is the newest, even if the clock is behind', async () => {
    await using servers = await twoServers();
    const { one } = servers;
    const slow = await servers.open();
    slow.clock.stepTo(one.clock.now() - 30_000);
    const root = await administrator(one);
    await root.rateLimits.create(policy);
    const again = await slow.keep.logIn({ username: 'root', password: 'Correct-Horse-7' });
    await again.administrator.rateLimits.create({ ...policy, maxRequests: 9 });
    expect(await limitSeenBy(one)).toBe(9);
    expect(await limitSeenBy(slow)).toBe(9);
  });
});

test('health is answered without the store', async () => {
  await using servers = await twoServers();
  await servers.other.runtime.backend.close();
  const { keep } = servers.other;
  const health = await keep.invoke(operations.getHealth, embeddedInput({}), {});
  expect(health).toMatchObject({ status: 'healthy' });
});

test('unreadable policies leave the last known ones in force', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  await one.runtime.store.transact((tx) => {
    putMarker(tx, 'rate_limit_revision', 'many');
  });
  expect(await limitSeenBy(other)).toBe(100);
});

test('a store that is not shared needs no refresh', async () => {
  expect(policyRefresh({ isShared: false }, new RateLimiter([]))).toBeUndefined();
});

test('a later set that is read twice is applied once, and an earlier one never', async () => {
  await using servers = await twoServers();
  const { one, other } = servers;
  const change = (maxRequests: number) =>
    one.runtime.store.transact((tx) => {
      const found = listPolicies(tx).find(({ endpointType }) => endpointType === 'Login');
      if (found !== undefined) putPolicy(tx, { ...found, maxRequests });
    });
  const seen = [0];
  for (let round = 1; round <= 5; round += 1) {
    const before = limitSeenBy(other);
    await change(round);
    const first = await before;
    seen.push(first === 100 ? 0 : first, await limitSeenBy(other));
  }
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect(seen.at(-1)).toBe(5);
});
