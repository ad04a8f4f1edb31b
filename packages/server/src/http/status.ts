/** The HTTP status of each kind of error. A kind without a status does not compile. */
import type { ErrorKind } from '@agentkeep/core';

/** Statuses by kind of error. */
export const statusOfKind: Record<ErrorKind, number> = {
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
