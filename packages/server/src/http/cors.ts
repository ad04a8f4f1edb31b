/** Cross-origin access for the one browser origin that the operator allows; off by default. */

import { parsedUrl } from '@agentkeep/core/clients';
import type { PathTargets } from './path-targets.js';

/** The headers of answers that scripts may read, in addition to those that browsers always show. */
const EXPOSED = [
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const ORIGIN = /^https:\/\/[^/?#@\s*]+$/;

/** Returns whether a text is exactly one HTTPS origin: no path, slash, query, user or wildcard. */
export function isHttpsOrigin(text: string): boolean {
  return ORIGIN.test(text) && parsedUrl(text)?.origin === text;
}

/** Returns the headers that let the allowed origin read an answer; none for other origins. */
export function corsHeaders(allowed: string, origin: string | null): Record<string, string> {
  if (origin !== allowed) return { Vary: 'Origin' };
  return {
    'Access-Control-Allow-Origin': allowed,
    'Access-Control-Expose-Headers': EXPOSED,
    Vary: 'Origin',
  };
}

/**
 * Returns the other headers of a preflight. The account surface allows more methods and API keys;
 * other paths allow PUT and DELETE if they have them.
 */
export function preflightHeaders({ surface, byMethod }: PathTargets): Record<string, string> {
  const isAccount = surface === 'account';
  const others = ['PUT', 'DELETE'].filter((method) => isAccount || byMethod.has(method));
  return {
    'Access-Control-Allow-Methods': ['GET', 'POST', ...others].join(', '),
    'Access-Control-Allow-Headers': `Authorization, Content-Type${isAccount ? ', X-API-Key' : ''}`,
    'Access-Control-Max-Age': '300',
  };
}
