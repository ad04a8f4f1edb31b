/** Cross-origin access for the one browser origin that the operator allows; off by default. */

import type { Surface } from '@agentkeep/core/transport';

const ORIGIN = /^https:\/\/[^/?#@\s*]+$/;

/** Returns whether a text is exactly one HTTPS origin: no path, slash, query, user or wildcard. */
export function isHttpsOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Returns the headers that let the allowed origin read an answer; none for other origins. */
export function corsHeaders(allowed: string, origin: string | null): Record<string, string> {
  const granted = origin === allowed ? { 'Access-Control-Allow-Origin': allowed } : {};
  return { ...granted, Vary: 'Origin' };
}

/**
 * Returns the other headers of a preflight. The account surface allows more methods and API keys.
 */
export function preflightHeaders(surface: Surface): Record<string, string> {
  const isAccount = surface === 'account';
  return {
    'Access-Control-Allow-Methods': isAccount ? 'GET, POST, PUT, DELETE' : 'GET, POST',
    'Access-Control-Allow-Headers': `Authorization, Content-Type${isAccount ? ', X-API-Key' : ''}`,
    'Access-Control-Max-Age': '300',
  };
}
