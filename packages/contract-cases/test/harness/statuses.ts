/**
 * The statuses that the contract gives each kind of error (docs/contract/conventions.md#errors),
 * stated here again, so that the cases judge those of the server.
 */
import type { ErrorKind } from '@agentkeep/core';

/** Statuses by kind of error, for calls in process. */
export const statuses: Record<ErrorKind, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  gone: 410,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  locked: 429,
  rate_limited: 429,
  crowded: 429,
  busy: 503,
  unavailable: 503,
  internal: 500,
};
