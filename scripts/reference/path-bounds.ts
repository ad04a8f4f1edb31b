/** What bounds the requests of each path of the server, read from the code that serves it. */
import { AgentkeepError } from '../../packages/core/src/index.ts';
import {
  DOCUMENT_BYTES_MAX,
  defaultRateLimitPolicies,
  type EndpointType,
  mayExceedQuota,
  type Operation,
  RateLimiter,
} from '../../packages/core/src/operator.ts';
import type { DoorAction } from '../../packages/server/src/front-door/front-door.ts';
import { DOOR_BODY_BYTES_MAX } from '../../packages/server/src/http/door-answer.ts';
import { UNCOUNTED_PATH } from '../../packages/server/src/http/exchange.ts';
import { MCP_BYTES_MAX } from '../../packages/server/src/http/mcp-answer.ts';
import { pathTargets, type Target } from '../../packages/server/src/http/path-targets.ts';
import { TOKEN_BYTES_MAX } from '../../packages/server/src/http/token-endpoint.ts';
import { authorityOf } from './needed-authority.ts';

/** Work that is bounded in addition, as the page of paths explains it. */
export type Bound =
  | 'approvals'
  | 'documents'
  | 'fetches'
  | 'hashes'
  | 'heavy'
  | 'quota'
  | 'snapshot'
  | 'subscriptions'
  | 'waits';

/** What bounds the requests of one method of one path. */
export interface PathBounds {
  readonly method: string;
  readonly path: string;
  /** The rate limit that a request counts under; `undefined` for one that is never refused. */
  readonly endpointType: string | undefined;
  /** What a caller has to prove, in words. */
  readonly proof: string;
  /** Whether a request without a proof is 401. */
  readonly isProved: boolean;
  /** Most bytes of a body; `undefined` where none is read. */
  readonly bodyBytesMax: number | undefined;
  readonly bounds: readonly Bound[];
}

type OfTarget = Pick<PathBounds, 'proof' | 'bodyBytesMax' | 'bounds'> & {
  readonly isProved?: boolean;
};

interface OfAction {
  readonly proof: string;
  readonly bounds?: readonly Bound[];
}

const COOKIE = 'the cookie of a session; others are led to `/login`';
const COOKIE_AND_FORM = 'the cookie of a session, and the token of the form';
const NONE = 'none';

/** What the front door wants proved, and what it bounds further. A new action needs a line. */
const atDoor: Readonly<Record<DoorAction, OfAction>> = {
  showLogin: { proof: NONE },
  logIn: { proof: 'name and password, and the token of the form', bounds: ['hashes'] },
  beginSignIn: { proof: NONE, bounds: ['fetches'] },
  completeSignIn: {
    proof: 'the cookie of the attempt, and what the issuer answers',
    bounds: ['fetches', 'hashes'],
  },
  logOutByIssuer: { proof: 'a token that the issuer signed', bounds: ['fetches'] },
  logOut: { proof: COOKIE_AND_FORM },
  showAccount: { proof: COOKIE },
  endFromPage: { proof: COOKIE_AND_FORM },
  authorize: { proof: COOKIE, bounds: ['approvals', 'documents'] },
  showConsent: { proof: COOKIE, bounds: ['documents'] },
  answerConsent: { proof: COOKIE_AND_FORM, bounds: ['approvals', 'documents'] },
  revoke: { proof: 'the token that is to end' },
  register: { proof: 'none; nothing is stored' },
  authorizationServer: { proof: NONE },
  protectedResource: { proof: NONE },
  protectedMcp: { proof: NONE },
};

/** Returns what bounds each method of each path. */
export function pathBounds(): PathBounds[] {
  const limiter = new RateLimiter(defaultRateLimitPolicies);
  const served = pathTargets({ hasMetrics: true, hasMcp: true, hasDoor: true, hasConsole: true });
  return served.flatMap(({ path, byMethod }) =>
    Array.from(byMethod, ([method, target]) => {
      const isCounted = !('probe' in target) && path !== UNCOUNTED_PATH;
      const type = limiter.endpointTypeOf(path);
      return {
        ...{ method, path, isProved: false },
        endpointType: isCounted ? nameOf(type) : undefined,
        ...ofTarget(target, method),
      };
    }),
  );
}

/** Returns the name of a type. The default policies have no others. */
export function nameOf(type: EndpointType): string {
  return typeof type === 'string' ? type : type.Custom;
}

function ofTarget(target: Target, method: string): OfTarget {
  if ('operation' in target) return ofOperation(target.operation);
  const bodyBytesMax = method === 'POST' ? DOOR_BODY_BYTES_MAX : undefined;
  if ('door' in target) {
    const { proof, bounds = [] } = atDoor[target.door];
    return { proof, bodyBytesMax, bounds };
  }
  if ('openPage' in target) {
    const isForm = target.openPage === 'acceptFromPage';
    const proof = isForm ? 'the code of an invitation, and the origin of the page' : NONE;
    return { proof, bodyBytesMax, bounds: isForm ? ['hashes'] : [] };
  }
  if ('consoleDoor' in target) {
    const proof = 'a header of the page and its origin; the cookie, a refresh token or a link';
    return { proof, bodyBytesMax, bounds: [] };
  }
  if ('token' in target) {
    const proof = 'an assertion, the secret of a service, a code or a refresh token';
    return { proof, bodyBytesMax: TOKEN_BYTES_MAX, bounds: ['fetches', 'quota'] };
  }
  if ('mcp' in target) {
    const proof = 'a proof of a tenant, then those of each tool';
    const bounds = ['heavy', 'quota', 'subscriptions'] as const;
    const read = method === 'POST' ? MCP_BYTES_MAX : undefined;
    return { proof, isProved: true, bodyBytesMax: read, bounds };
  }
  if ('metrics' in target) {
    return { proof: '`metrics_token`', isProved: true, bodyBytesMax: undefined, bounds: [] };
  }
  return { proof: NONE, bodyBytesMax: undefined, bounds: [] };
}

function ofOperation(operation: Operation): OfTarget {
  const { input, document } = operation;
  const bodyBytesMax =
    input.document === undefined ? undefined : (document?.bytesMax ?? DOCUMENT_BYTES_MAX);
  const bounds = boundsOf(operation);
  if (operation.kind === 'public') {
    const proof = input.document === undefined ? NONE : 'what the body has';
    return { proof, bodyBytesMax, bounds };
  }
  const proof = ['a proof', ...authorityOf(operation)].join(', ');
  return { proof, isProved: true, bodyBytesMax, bounds };
}

function boundsOf(operation: Operation): Bound[] {
  const errors = operation.errors.map((each) => new AgentkeepError(each));
  const bounds: (readonly [Bound, boolean])[] = [
    ['heavy', 'isHeavy' in operation && operation.isHeavy],
    ['waits', errors.some(({ kind }) => kind === 'crowded')],
    ['fetches', errors.some(({ code }) => code === 'issuer_unavailable')],
    ['hashes', errors.some(({ kind, code }) => kind === 'busy' && code !== 'issuer_unavailable')],
    ['snapshot', errors.some(({ code }) => code === 'snapshot_in_progress')],
    ['approvals', operation.name === 'approveConnection'],
    ['quota', mayExceedQuota(operation)],
  ];
  return bounds.flatMap(([bound, isBound]) => (isBound ? [bound] : []));
}
