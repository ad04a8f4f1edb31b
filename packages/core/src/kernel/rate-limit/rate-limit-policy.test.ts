/** The choice of a rate limit policy. */
import { describe, expect, it } from 'vitest';
import {
  defaultRateLimitPolicies,
  type EndpointType,
  isCustomPath,
  policiesInForce,
  policyChooser,
  type RateLimitPolicy,
} from './rate-limit-policy.js';

function policy(
  id: string,
  endpointType: EndpointType,
  rest: Partial<RateLimitPolicy> = {},
): RateLimitPolicy {
  const usual = { name: id, maxRequests: 5, windowSecs: 1, enabled: true, createdAtMillis: 1 };
  const origin = { updatedAtMillis: 1, createdBy: 'system' };
  return { ...usual, ...origin, ...rest, id, endpointType };
}

const custom = (id: string, path: string, rest?: Partial<RateLimitPolicy>): RateLimitPolicy =>
  policy(id, { Custom: path }, rest);

const idFor = (policies: readonly RateLimitPolicy[], path: string): string | undefined =>
  policyChooser(policies)(path).policy?.id;

describe('policyChooser', () => {
  it.each([
    ['/api/v1/auth/login', 'Login', 100],
    ['/api/v1/login', 'Login', 100],
    ['/api/v1/admin/login', 'Login', 100],
    ['/login/openid/staff', 'Login', 100],
    ['/login/openid/callback', 'Login', 100],
    ['/api/v1/keys', 'ApiKeyCreation', 100],
    ['/api/v1/keys/7', 'ApiKeyCreation', 100],
    ['/api/v1/api-keys', 'ApiKeyCreation', 100],
    ['/api/v1/api-keys/7', 'ApiKeyCreation', 100],
    ['/api/v1/users', 'UserManagement', 1_000],
    ['/api/v1/users/', 'UserManagement', 1_000],
    ['/api/v1/users/me/password', 'UserManagement', 1_000],
    ['/api/v1/login-accounts', 'UserManagement', 1_000],
    ['/api/v1/login-accounts/7/disable', 'UserManagement', 1_000],
    ['/api/v1/admin/login-accounts', 'UserManagement', 1_000],
    ['/api/v1/admin/login-accounts/7', 'UserManagement', 1_000],
  ])('counts %s as %s', (path, endpointType, maxRequests) => {
    const choice = policyChooser(defaultRateLimitPolicies)(path);
    expect(choice.endpointType).toBe(endpointType);
    expect(choice.policy).toMatchObject({ endpointType, maxRequests, windowSecs: 60 });
  });

  it.each([
    '/api/v1/usersX',
    '/api/v1/keysX/7',
    '/api/v1/loginX',
    '/api/v1/login/below',
    '/api/v1/login/',
    '/login/openid',
    '/login/openidX',
    '/login/openid/staff/backchannel-logout',
    '/api/v1/auth/refresh',
    '/api/v1/auth/logout',
    '/api/v1/users-of/users',
    '/api/v1/Users',
    '/x/api/v1/users',
    '//api/v1/users',
    '/api/v1/memory/query',
    '/api/v1/admin',
    '/health',
    '/unknown',
    '/',
    '',
  ])('counts %j as GeneralApi', (path) => {
    const choice = policyChooser(defaultRateLimitPolicies)(path);
    expect(choice.endpointType).toBe('GeneralApi');
    expect(choice.policy?.maxRequests).toBe(100_000);
  });

  it('lets the longest Custom path win, by whole segments', () => {
    const policies = [
      ...defaultRateLimitPolicies,
      custom('memory', '/api/v1/memory'),
      custom('query', '/api/v1/memory/query'),
      custom('login', '/api/v1/login'),
      custom('me', '/api/v1/users/me'),
    ];
    expect(idFor(policies, '/api/v1/memory/query')).toBe('query');
    expect(idFor(policies, '/api/v1/memory/query/more')).toBe('query');
    expect(idFor(policies, '/api/v1/memory/queryX')).toBe('memory');
    expect(idFor(policies, '/api/v1/memory')).toBe('memory');
    expect(idFor(policies, '/api/v1/memory/')).toBe('memory');
    expect(idFor(policies, '/api/v1/login')).toBe('login');
    expect(idFor(policies, '/api/v1/users/me/password')).toBe('me');
    const choose = policyChooser(policies);
    expect(choose('/api/v1/memory/query').endpointType).toEqual({ Custom: '/api/v1/memory/query' });
    expect(choose('/api/v1/memoryX').endpointType).toBe('GeneralApi');
    expect(choose('/api/v1/memor').endpointType).toBe('GeneralApi');
    expect(choose('/api/v1').endpointType).toBe('GeneralApi');
    expect(choose('/api/v1/users/7').endpointType).toBe('UserManagement');
  });

  it('skips Custom paths without an enabled policy', () => {
    const policies = [
      custom('memory', '/api/v1/memory'),
      custom('query', '/api/v1/memory/query', { enabled: false }),
    ];
    expect(idFor(policies, '/api/v1/memory/query')).toBe('memory');
    expect(policyChooser([custom('off', '/a', { enabled: false })])('/a')).toEqual({
      endpointType: 'GeneralApi',
      policy: undefined,
    });
  });

  it('reads no more of a path than the longest Custom path', () => {
    const choose = policyChooser([custom('deep', '/a/b/c')]);
    expect(choose('/a/b/c' + '/d'.repeat(10_000)).policy?.id).toBe('deep');
    expect(choose('/'.repeat(10_000)).policy).toBeUndefined();
  });

  it('leaves a type without a policy unlimited', () => {
    const policies = defaultRateLimitPolicies.filter((each) => each.endpointType !== 'Login');
    expect(policyChooser(policies)('/api/v1/login')).toEqual({
      endpointType: 'Login',
      policy: undefined,
    });
  });
});

describe('policiesInForce', () => {
  const idsOf = (policies: readonly RateLimitPolicy[]): string[] =>
    policiesInForce(policies).map((each) => each.id);

  it('takes the newest enabled policy of each type', () => {
    const old = policy('old', 'Login', { createdAtMillis: 1 });
    const newer = policy('newer', 'Login', { createdAtMillis: 2 });
    const off = policy('off', 'Login', { createdAtMillis: 3, enabled: false });
    const other = policy('other', 'GeneralApi');
    expect(idsOf([old, newer, off, other])).toEqual(['newer', 'other']);
    expect(idsOf([newer, old])).toEqual(['newer']);
    expect(idsOf([off, old])).toEqual(['old']);
    expect(idsOf([off])).toEqual([]);
  });

  it('takes the greater id of two policies of the same age', () => {
    expect(idsOf([policy('a', 'Login'), policy('b', 'Login')])).toEqual(['b']);
    expect(idsOf([policy('b', 'Login'), policy('a', 'Login')])).toEqual(['b']);
    expect(idsOf([custom('b', '/x'), custom('a', '/x'), custom('a', '/y')])).toEqual(['b', 'a']);
  });

  it('lets any policy with a real date replace a default', () => {
    expect(idFor([...defaultRateLimitPolicies, policy('mine', 'Login')], '/api/v1/login')).toBe(
      'mine',
    );
  });
});

describe('isCustomPath', () => {
  const longest = `/${'x'.repeat(255)}`;

  it.each(['/a', '/api/v1/memory', '/a.b/c~d', '/ä', '/a b', longest])('takes %j', (path) => {
    expect(isCustomPath(path)).toBe(true);
  });

  it.each(['', '/', 'a', 'a/b', '/a/', '//a', '/a//b', '/a?b', '/a?', '*', `${longest}x`])(
    'refuses %j',
    (path) => {
      expect(isCustomPath(path)).toBe(false);
    },
  );

  it('counts bytes, not characters', () => {
    expect(isCustomPath(`/${'ä'.repeat(127)}`)).toBe(true);
    expect(isCustomPath(`/${'ä'.repeat(128)}`)).toBe(false);
  });
});
