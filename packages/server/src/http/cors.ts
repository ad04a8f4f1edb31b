/**
 * Cross-origin access for the one browser origin that the operator allows; off by default.
 * @module
 */

const ORIGIN = /^https:\/\/[^/?#@\s*]+$/;

/** Whether a text is exactly one HTTPS origin: no path, slash, query, user or wildcard. */
export function isHttpsOrigin(text: string): boolean {
  return ORIGIN.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** Headers that let the allowed origin read an answer; none for any other. */
export function corsHeaders(allowed: string, origin: string | null): Record<string, string> {
  const granted = origin === allowed ? { 'Access-Control-Allow-Origin': allowed } : {};
  return { ...granted, Vary: 'Origin' };
}

/** What a preflight is told besides. */
export const preflightHeaders = {
  'Access-Control-Allow-Methods': 'GET, POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type',
  'Access-Control-Max-Age': '300',
} as const;
