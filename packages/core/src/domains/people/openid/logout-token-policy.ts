/** Whether claims are those of a logout token (OpenID Connect Back-Channel Logout 1.0, 2.6). */
import type { AssertionClaims } from '../../tenancy/federation/federation-policy.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Milliseconds that clocks may differ. */
const TOLERANCE_MS = 60_000;

/** A logout at an issuer: of a person, of one of its sessions, or both. */
export interface IssuerLogout {
  readonly sub: string | undefined;
  readonly sid: string | undefined;
  /** What tells the token from all others. */
  readonly jti: string;
  /** In Unix milliseconds, with the tolerance. */
  readonly endsAtMillis: number;
}

/** Why claims state no logout. */
interface RefusedLogout {
  readonly refused: string;
}

/** What is decided elsewhere. */
interface LogoutBounds {
  readonly nowMs: number;
  /** How long a token may live after it is received, in milliseconds. */
  readonly lifeMsMax: number;
  readonly isName: (value: unknown) => value is string;
}

/** Returns the logout that verified claims state, or why they state none. */
export function logoutOf(
  claims: AssertionClaims,
  { nowMs, lifeMsMax, isName }: LogoutBounds,
): IssuerLogout | RefusedLogout {
  const { events, nonce, jti, iat, exp, sub, sid } = claims;
  if (!isObject(events) || !isObject(events[EVENT])) return { refused: 'event' };
  // A token with a nonce is an ID token.
  if (nonce !== undefined) return { refused: 'nonce' };
  if (typeof jti !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
    return { refused: 'form' };
  if (iat * 1_000 > nowMs + TOLERANCE_MS) return { refused: 'early' };
  const endsAtMillis = Math.ceil(exp * 1_000) + TOLERANCE_MS;
  if (endsAtMillis > nowMs + lifeMsMax) return { refused: 'lifetime' };
  if ((sub !== undefined && !isName(sub)) || (sid !== undefined && !isName(sid)))
    return { refused: 'form' };
  if (sub === undefined && sid === undefined) return { refused: 'subject' };
  return { sub, sid, jti, endsAtMillis };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
