/** The operation that receives logouts of an issuer. */
import { AgentkeepError } from '../../../contract/errors/agentkeep-error.js';
import { tenantIdOf } from '../../../kernel/access/principal.js';
import { succeeded, SuccessResponse } from '../../../kernel/lists/account-lists.js';
import { definePublicOperation } from '../../../kernel/operation/define-operation.js';
import { accountChecks } from '../../../kernel/operation/orders-of-checks.js';
import type { PublicRequest } from '../../../kernel/operation/requests.js';
import { assertions, type AssertionTrust } from '../../../kernel/ports/assertions.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { WriteTx } from '../../../storage/store/store.js';
import type { AssertionClaims } from '../../tenancy/federation/federation-policy.js';
import { findLinkedAccount } from '../account/account-store.js';
import type { StoredAccount } from '../account/stored-account.js';
import { actorOfAccount } from '../session/session-events.js';
import {
  removeSession,
  sessionsOf,
  sessionsOfSid,
  type StoredSession,
} from '../session/session-store.js';
import { ISSUER_LOGOUT_BYTES_MAX, LOGOUT_TOKEN_MS_MAX } from '../sign-in/sign-in-limits.js';
import { useOnce } from '../sign-in/use-store.js';
import { isIssuerName } from './proved-person.js';
import { IssuerLogoutRequest } from './schema.js';
import { loggedOutByIssuer, logoutRefused } from './sign-in-events.js';
import { findSignInIssuer, type NamedIssuer } from './sign-in-issuer.js';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** Milliseconds that clocks may differ. */
const TOLERANCE_MS = 60_000;

/** A logout at an issuer: of a person, of one of its sessions, or both. */
interface IssuerLogout {
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
function logoutOf(
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

type Request = PublicRequest<{ readonly document: typeof IssuerLogoutRequest }>;

/** A logout token counts once. Its signature is the proof of the call. */
export const receiveIssuerLogout = definePublicOperation({
  name: 'receiveIssuerLogout',
  summary: 'End the sessions of a person that has logged out at an issuer.',
  example: { document: { tenant_id: 'acme', issuer: 'staff', logout_token: 'eyJ…' } },
  tag: 'Sign-in',
  ignoresProof: true,
  input: { document: IssuerLogoutRequest },
  document: { bytesMax: ISSUER_LOGOUT_BYTES_MAX },
  output: SuccessResponse,
  checks: accountChecks,
  errors: ['logout_token_refused', 'issuer_unavailable', 'storage_inconsistency'],
  async handler(request: Request) {
    const { runtime, nowMs } = request;
    const { tenant_id, issuer: name, logout_token: token } = request.input.document;
    const authority = tenant_id ?? INSTALLATION;
    const found = await runtime.store.read((tx) => findSignInIssuer(tx, authority, name));
    if (found === undefined) throw refuse(request, 'issuer');
    const check = await assertions.of(runtime).verify(token, logoutTrust(found), nowMs);
    if (check.kind === 'unavailable') {
      request.observe(logoutRefused(name, check.reason));
      throw new AgentkeepError('issuer_unavailable');
    }
    if (check.kind === 'refused') throw refuse(request, check.reason);
    const bounds = { nowMs, lifeMsMax: LOGOUT_TOKEN_MS_MAX, isName: isIssuerName };
    const logout = logoutOf(check.claims, bounds);
    if ('refused' in logout) throw refuse(request, logout.refused);
    const reason = await runtime.store.transact((tx) => apply(tx, request, found, logout));
    if (reason !== undefined) throw refuse(request, reason);
    return succeeded('The sessions have ended.');
  },
});

/** No other issuer can have this name, as names have no control characters. */
function logoutTrust({ settings, issuer }: NamedIssuer): AssertionTrust {
  return {
    tenantId: settings.authority,
    name: `\0sign-in ${issuer.name}`,
    revision: settings.revision,
    issuer: issuer.issuer,
    audience: issuer.client_id,
    keys: { mode: 'discovery' },
    requiredClaims: ['iat', 'exp', 'jti', 'events'],
    types: ['logout+jwt', 'jwt'],
  };
}

/** Returns why nothing was ended. */
function apply(
  tx: WriteTx,
  request: Request,
  { settings: { authority }, issuer: { name, issuer } }: NamedIssuer,
  { sub, sid, jti, endsAtMillis }: IssuerLogout,
): string | undefined {
  if (findSignInIssuer(tx, authority, name)?.issuer.issuer !== issuer) return 'issuer';
  const use = { authority, name: ['logout', issuer, jti], endsAtMillis };
  const { nowMs: calledAtMs, runtime } = request;
  const spent = useOnce(tx, use, { clock: runtime.clock, calledAtMs });
  if (spent !== undefined) return spent;
  const account = sub === undefined ? undefined : findLinkedAccount(tx, authority, { issuer, sub });
  let ended = 0;
  if (sid !== undefined) {
    const isOwn = ({ accountId }: StoredSession): boolean =>
      sub === undefined || accountId === account?.id;
    const opened = sessionsOfSid(tx, authority, issuer, sid).filter(isOwn);
    for (const session of opened) removeSession(tx, session);
    ended = opened.length;
  } else if (account !== undefined) ended = endIssuerSessions(tx, account, issuer);
  const actor =
    account === undefined
      ? { tenantId: tenantIdOf(authority), userId: null, username: null }
      : actorOfAccount(account);
  request.record(tx, loggedOutByIssuer(name, ended, actor));
  return undefined;
}

function refuse(request: Request, reason: string): AgentkeepError {
  request.observe(logoutRefused(request.input.document.issuer, reason));
  return new AgentkeepError('logout_token_refused');
}

/** Ends the sessions of an account that an issuer vouched for. Returns how many there were. */
export function endIssuerSessions(
  tx: WriteTx,
  { authority, id }: StoredAccount,
  issuer: string,
): number {
  const own = sessionsOf(tx, authority, id).filter(({ signIn }) => signIn?.issuer === issuer);
  for (const session of own) removeSession(tx, session);
  return own.length;
}
