/**
 * Rate limit policies, and the choice of the one that applies to a path
 * (docs/contract/rate-limits.md#rtl-10).
 */

import { RATE_LIMIT_PATH_BYTES_MAX } from '../../contract/limits.js';

/** The parts of the API that are limited separately and always exist. */
export const namedEndpointTypes = [
  'Login',
  'ApiKeyCreation',
  'UserManagement',
  'GeneralApi',
] as const;

/** The name of a built-in part of the API. */
type NamedEndpointType = (typeof namedEndpointTypes)[number];

/** The subject of a policy: a named part of the API, or a path (from `/`) and all below it. */
export type EndpointType = NamedEndpointType | { readonly Custom: string };

/** The number of requests that one part of the API takes from a client. */
export interface RateLimitPolicy {
  readonly id: string;
  readonly name: string;
  readonly endpointType: EndpointType;
  /** Tokens in a full bucket: 1 to 1,000,000,000. */
  readonly maxRequests: number;
  /** Seconds in which an empty bucket fills: 1 to 86,400. */
  readonly windowSecs: number;
  readonly enabled: boolean;
  readonly createdAtMillis: number;
  readonly updatedAtMillis: number;
  /** Id of the account or credential that made it; `system` for a default. */
  readonly createdBy: string;
  /** Absent until its first change, which makes it 2. */
  readonly revision?: number | undefined;
}

/** All policies of an installation at one moment. */
export interface PolicySet {
  /** Grows with every write of a policy. */
  readonly revision: number;
  readonly policies: readonly RateLimitPolicy[];
}

/** The policy that applies to a path. A part of the API without a policy is unlimited. */
interface PolicyChoice {
  readonly endpointType: EndpointType;
  readonly policy: RateLimitPolicy | undefined;
}

/** Chooses by path: percent-decoded as the router reads it, without the query. */
export type ChoosePolicy = (path: string) => PolicyChoice;

interface BuiltInPath {
  readonly path: string;
  readonly type: NamedEndpointType;
  /** Which paths it covers: itself, also all below it, or those with one more segment. */
  readonly covers: 'itself' | 'itself and below' | 'children';
}

const at = (type: NamedEndpointType, path: string): BuiltInPath => ({
  path,
  type,
  covers: 'itself',
});
const from = (type: NamedEndpointType, path: string): BuiltInPath => ({
  path,
  type,
  covers: 'itself and below',
});
const childrenOf = (type: NamedEndpointType, path: string): BuiltInPath => ({
  path,
  type,
  covers: 'children',
});

/** No two of them match the same path. A path that none matches is `GeneralApi`. */
const builtInPaths: readonly BuiltInPath[] = [
  at('Login', '/api/v1/auth/login'),
  at('Login', '/api/v1/login'),
  at('Login', '/login'),
  at('Login', '/oauth/register'),
  at('Login', '/api/v1/admin/login'),
  at('Login', '/api/v1/sign-in'),
  at('Login', '/api/v1/sign-in/complete'),
  at('Login', '/api/v1/accept-invitation'),
  at('Login', '/invitation'),
  // Sign-ins that begin and end. Logouts, one segment further, are those of issuers.
  childrenOf('Login', '/login/openid'),
  from('ApiKeyCreation', '/api/v1/keys'),
  from('ApiKeyCreation', '/api/v1/api-keys'),
  from('UserManagement', '/api/v1/users'),
  from('UserManagement', '/api/v1/invitations'),
  from('UserManagement', '/api/v1/login-accounts'),
  from('UserManagement', '/api/v1/admin/login-accounts'),
];

const SLASH = 0x2f;

function isCovered(path: string, { path: covering, covers }: BuiltInPath): boolean {
  // Check for the end of a segment first: it is cheap and most often decides.
  const endsHere = covers !== 'children' && path.length === covering.length;
  const goesOn = covers !== 'itself' && path.charCodeAt(covering.length) === SLASH;
  if (!(endsHere || goesOn) || !path.startsWith(covering)) return false;
  return covers !== 'children' || !path.includes('/', covering.length + 1);
}

function namedTypeOf(path: string): NamedEndpointType {
  for (const each of builtInPaths) if (isCovered(path, each)) return each.type;
  return 'GeneralApi';
}

/** Returns a key for a type. Type names and paths can't collide, because paths begin with `/`. */
function keyOf(type: EndpointType): string {
  return typeof type === 'string' ? type : type.Custom;
}

/** Returns whether a policy can name a path: whole, non-empty segments and no query. */
export function isCustomPath(path: string): boolean {
  const [start, ...segments] = path.split('/');
  return (
    start === '' &&
    segments.length > 0 &&
    segments.every((segment) => segment !== '') &&
    !path.includes('?') &&
    Buffer.byteLength(path, 'utf8') <= RATE_LIMIT_PATH_BYTES_MAX
  );
}

function isNewer(policy: RateLimitPolicy, than: RateLimitPolicy): boolean {
  if (policy.createdAtMillis !== than.createdAtMillis) {
    return policy.createdAtMillis > than.createdAtMillis;
  }
  return policy.id > than.id;
}

/**
 * Returns the policies in force: the newest enabled one of each endpoint type. Of two policies of
 * the same age, the one with the greater id wins.
 */
export function policiesInForce(policies: readonly RateLimitPolicy[]): RateLimitPolicy[] {
  const newest = new Map<string, RateLimitPolicy>();
  for (const policy of policies) {
    if (!policy.enabled) continue;
    const key = keyOf(policy.endpointType);
    const known = newest.get(key);
    if (known === undefined || isNewer(policy, known)) newest.set(key, policy);
  }
  return [...newest.values()];
}

/** Returns whether buckets that were filled under one policy stay valid under the other. */
export function hasSameLimit(policy: RateLimitPolicy, other: RateLimitPolicy): boolean {
  return (
    policy.id === other.id &&
    policy.maxRequests === other.maxRequests &&
    policy.windowSecs === other.windowSecs
  );
}

/**
 * Prepares the choice of policies by path. The longest `Custom` path in force that covers a path,
 * by whole segments, takes precedence over the named types.
 */
export function policyChooser(policies: readonly RateLimitPolicy[]): ChoosePolicy {
  const named = new Map<NamedEndpointType, PolicyChoice>();
  const custom = new Map<string, PolicyChoice>();
  let customCharsMax = 0;
  for (const policy of policiesInForce(policies)) {
    const { endpointType } = policy;
    const choice: PolicyChoice = { endpointType, policy };
    if (typeof endpointType === 'string') {
      named.set(endpointType, choice);
    } else {
      custom.set(endpointType.Custom, choice);
      customCharsMax = Math.max(customCharsMax, endpointType.Custom.length);
    }
  }
  return (path) => {
    // Ends of segments up to the longest Custom path, so that the work is bounded for any path.
    let longest: PolicyChoice | undefined;
    for (let end = 0; end < path.length && end < customCharsMax;) {
      const slash = path.indexOf('/', end + 1);
      end = slash === -1 ? path.length : slash;
      longest = custom.get(path.slice(0, end)) ?? longest;
    }
    if (longest !== undefined) return longest;
    const type = namedTypeOf(path);
    return named.get(type) ?? { endpointType: type, policy: undefined };
  };
}

function defaultPolicy(
  number: number,
  name: string,
  endpointType: NamedEndpointType,
  maxRequests: number,
): RateLimitPolicy {
  return Object.freeze({
    id: `00000000-0000-7000-8000-00000000000${number}`,
    name: `Default ${name} Rate Limit`,
    endpointType,
    maxRequests,
    windowSecs: 60,
    enabled: true,
    createdAtMillis: 0,
    updatedAtMillis: 0,
    createdBy: 'system',
  });
}

/**
 * The policies of a new installation, which get ids and times of their own. Here they are dated
 * before any other policy, so that a later one replaces them.
 */
export const defaultRateLimitPolicies: readonly RateLimitPolicy[] = Object.freeze([
  defaultPolicy(1, 'Login', 'Login', 100),
  defaultPolicy(2, 'API Key Creation', 'ApiKeyCreation', 100),
  defaultPolicy(3, 'User Management', 'UserManagement', 1_000),
  defaultPolicy(4, 'General API', 'GeneralApi', 100_000),
]);
