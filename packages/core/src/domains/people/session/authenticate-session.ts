/** Authenticates an account by its session: an opaque token or a verified access token. */
import type { AccountPrincipal, HeldSubject } from '../../../kernel/access/principal.js';
import type { PresentedSecret } from '../../../kernel/access/secret.js';
import { accountPrincipal, boundCredential, isBindingLive } from '../account/account-principal.js';
import { findAccount, locateAccount } from '../account/account-store.js';
import { isActiveAccount } from '../account/stored-account.js';
import { INSTALLATION } from '../../../storage/store/key.js';
import type { ReadTx } from '../../../storage/store/store.js';
import { isRevoked } from '../token/revocation-store.js';
import { isLiveSession, pinOf } from './session-policy.js';
import { findSession } from './session-store.js';

type HeldSession = HeldSubject & { readonly kind: 'session' };

/** Returns the account of an opaque session token. */
export function authenticateBySessionSecret(
  tx: ReadTx,
  secret: PresentedSecret,
  nowMs: number,
): AccountPrincipal | undefined {
  const { kind, id: accountId, sessionId } = secret;
  const account = locateAccount(tx, accountId);
  if (account === undefined || sessionId === undefined) return undefined;
  const { authority } = account;
  const expected = authority === INSTALLATION ? 'aksg1' : 'akst1';
  const session = findSession(tx, authority, accountId, sessionId);
  if (session?.kind !== 'opaque' || kind !== expected) return undefined;
  if (!secret.proves(session.verifier)) return undefined;
  const held = { kind: 'session', authority, accountId, sessionId, token: null } as const;
  return authenticateHeldSession(tx, held, nowMs);
}

/**
 * Returns the account of a session that was proved before, or `undefined` if the session expired,
 * the account or its credential changed, or the access token was revoked.
 */
export function authenticateHeldSession(
  tx: ReadTx,
  held: HeldSession,
  nowMs: number,
): AccountPrincipal | undefined {
  const { authority, accountId, sessionId, token } = held;
  const account = findAccount(tx, authority, accountId);
  const session = findSession(tx, authority, accountId, sessionId);
  if (account === undefined || session === undefined || !isActiveAccount(account)) return undefined;
  if ((session.kind === 'jwt') !== (token !== null)) return undefined;
  const credential = boundCredential(tx, account);
  if (!isBindingLive(account, credential, nowMs)) return undefined;
  if (!isLiveSession(session, pinOf(credential), nowMs)) return undefined;
  if (token !== null && isTokenOver(tx, accountId, token, nowMs)) return undefined;
  const jti = token === null ? {} : { jti: token.jti };
  return accountPrincipal({
    account,
    credential,
    presence: { kind: 'session', sessionId, ...jti },
    held,
  });
}

function isTokenOver(
  tx: ReadTx,
  accountId: string,
  { jti, expiresAtSecs }: NonNullable<HeldSession['token']>,
  nowMs: number,
): boolean {
  return nowMs >= expiresAtSecs * 1_000 || isRevoked(tx, accountId, jti);
}
