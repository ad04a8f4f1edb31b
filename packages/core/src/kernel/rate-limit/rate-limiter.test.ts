/** The limiter: policies in force, isolation of clients, and the effect of changed policies. */
import { describe, expect, it } from 'vitest';
import { defaultRateLimitPolicies, type RateLimitPolicy } from './rate-limit-policy.js';
import { RateLimiter } from './rate-limiter.js';

const LOGIN = '/api/v1/login';
const UNLIMITED = {
  type: 'allowed',
  limit: 4_294_967_295,
  remaining: 4_294_967_295,
  resetInSecs: 0,
};

function setUp(
  policies: readonly RateLimitPolicy[] = defaultRateLimitPolicies,
  clientsMax = 1_000,
) {
  let nowMs = 0;
  const limiter = new RateLimiter(policies, { monotonic: () => nowMs }, clientsMax);
  const drain = (path: string, clientKey: string): number => {
    let allowed = 0;
    while (limiter.take(path, clientKey).type === 'allowed') allowed += 1;
    return allowed;
  };
  return { limiter, drain, pass: (ms: number) => void (nowMs += ms) };
}

const withLogin = (change: Partial<RateLimitPolicy>): RateLimitPolicy[] =>
  defaultRateLimitPolicies.map((each) =>
    each.endpointType === 'Login' ? { ...each, ...change } : each,
  );

describe('RateLimiter', () => {
  it('puts the default policies in force', () => {
    const { drain } = setUp();
    expect(drain(LOGIN, 'a')).toBe(100);
    expect(drain('/api/v1/keys', 'a')).toBe(100);
    expect(drain('/api/v1/users', 'a')).toBe(1_000);
    expect(drain('/api/v1/memory/query', 'a')).toBe(100_000);
  });

  it('counts all paths of a type together and clients separately', () => {
    const { limiter, drain, pass } = setUp();
    expect(drain('/api/v1/auth/login', 'a')).toBe(100);
    expect(limiter.take('/api/v1/admin/login', 'a').type).toBe('refused');
    expect(limiter.take(LOGIN, 'b')).toMatchObject({ type: 'allowed', remaining: 99 });
    expect(limiter.take('/api/v1/keys', 'a')).toMatchObject({ type: 'allowed', remaining: 99 });
    pass(600);
    expect(drain(LOGIN, 'a')).toBe(1);
  });

  it('counts the clients of a tenant together, with ten times the limit of one', () => {
    const { limiter, pass } = setUp();
    const taken = (tenantId: string, clients: number, each: number): number => {
      let allowed = 0;
      for (let at = 0; at < clients * each; at += 1) {
        const client = `${tenantId} ${String(at % clients)}`;
        if (limiter.take('/api/v1/keys', client, tenantId).type === 'allowed') allowed += 1;
      }
      return allowed;
    };
    expect(taken('acme', 1, 200)).toBe(100);
    expect(taken('acme', 50, 40)).toBe(900);
    expect(limiter.take('/api/v1/keys', 'acme new', 'acme')).toMatchObject({
      type: 'refused',
      limit: 1_000,
      remaining: 0,
    });
    expect(taken('other', 20, 50)).toBe(1_000);
    pass(60);
    expect(limiter.take('/api/v1/keys', 'acme newer', 'acme').type).toBe('allowed');
  });

  it('takes no token when it peeks', () => {
    const { limiter, drain } = setUp();
    expect(limiter.peek(LOGIN, 'a')).toMatchObject({ remaining: 100, resetInSecs: 0 });
    limiter.take(LOGIN, 'a');
    expect(limiter.peek(LOGIN, 'a')).toMatchObject({ remaining: 99, resetInSecs: 1 });
    expect(drain(LOGIN, 'a')).toBe(99);
    expect(limiter.peek(LOGIN, 'a')).toMatchObject({ type: 'allowed', remaining: 0 });
  });

  it('does not limit without a policy', () => {
    const { limiter } = setUp(withLogin({ enabled: false }));
    expect(limiter.take(LOGIN, 'a')).toEqual(UNLIMITED);
    expect(limiter.peek(LOGIN, 'a')).toEqual(UNLIMITED);
    expect(limiter.take('/api/v1/keys', 'a').limit).toBe(100);
    expect(setUp([]).limiter.take('/health', 'a')).toEqual(UNLIMITED);
  });

  it('refills the buckets of a changed policy and keeps the others', () => {
    const { limiter, drain } = setUp();
    drain(LOGIN, 'a');
    limiter.take('/api/v1/keys', 'a');
    limiter.replacePolicies(withLogin({ maxRequests: 7 }));
    expect(limiter.peek(LOGIN, 'a')).toMatchObject({ limit: 7, remaining: 7 });
    expect(limiter.peek('/api/v1/keys', 'a')).toMatchObject({ remaining: 99 });
    expect(drain(LOGIN, 'a')).toBe(7);
    limiter.replacePolicies(withLogin({ maxRequests: 7, windowSecs: 61 }));
    expect(drain(LOGIN, 'a')).toBe(7);
    limiter.replacePolicies(withLogin({ maxRequests: 7, windowSecs: 61, name: 'Renamed' }));
    expect(drain(LOGIN, 'a')).toBe(0);
  });

  it('switches to a newer policy of a type and back, with full buckets each time', () => {
    const newer = { id: 'newer', maxRequests: 3, createdAtMillis: 9 };
    const { limiter, drain } = setUp();
    drain(LOGIN, 'a');
    limiter.replacePolicies([...defaultRateLimitPolicies, ...withLogin(newer).slice(0, 1)]);
    expect(drain(LOGIN, 'a')).toBe(3);
    limiter.replacePolicies(defaultRateLimitPolicies);
    expect(drain(LOGIN, 'a')).toBe(100);
    limiter.replacePolicies([]);
    limiter.replacePolicies(defaultRateLimitPolicies);
    expect(drain(LOGIN, 'a')).toBe(100);
  });

  it('bounds the clients of each endpoint type separately', () => {
    const { limiter } = setUp(defaultRateLimitPolicies, 1);
    limiter.take(LOGIN, 'a');
    limiter.take('/api/v1/keys', 'b');
    expect(limiter.peek(LOGIN, 'a').remaining).toBe(99);
    expect(limiter.peek('/api/v1/keys', 'b').remaining).toBe(99);
  });
});
