/** Audit events of sign-ins by issuers (docs/contract/openid.md). */
import { tenantIdOf } from '../../../kernel/access/principal.js';
import { escapedTextUpTo } from '../../../contract/schema/escaped-text.js';
import type { EventActor, EventSubject } from '../../../kernel/audit/call-events.js';
import type { IssuerSubject, StoredAccount } from '../account/stored-account.js';
import { actorOfAccount } from '../session/session-events.js';

const SUB_CHARS_MAX = 256;

/**
 * A sign-in was refused. What an issuer has vouched for belongs to the log of the authority; the
 * rest, which any caller can send, to that of the installation.
 */
export function signInRefused(
  issuer: string | undefined,
  reason: string,
  actor?: EventActor,
): EventSubject {
  return {
    type: 'login_failed',
    action: 'sign_in',
    resource: 'authentication',
    result: 'unauthorized',
    metadata: { ...named(issuer), reason },
    ...(actor === undefined ? {} : { actor }),
  };
}

/** A logout token was refused. Refusals for the same error are repeats of one event. */
export function logoutRefused(issuer: string, error: string): EventSubject {
  return {
    type: 'permission_denied',
    action: 'issuer_logout',
    resource: 'authentication',
    result: 'unauthorized',
    metadata: { ...named(issuer), error },
  };
}

/** A logout at an issuer ended sessions. */
export function loggedOutByIssuer(
  issuer: string,
  sessions: number,
  actor: EventActor,
): EventSubject {
  return {
    type: 'logout',
    action: 'issuer_logout',
    resource: 'authentication',
    result: 'success',
    metadata: { ...named(issuer), sessions },
    actor,
  };
}

/** Returns a person of an issuer as events name it: by its account, or by its `sub`. */
export function actorOfPerson(
  authority: string,
  { sub }: IssuerSubject,
  account: StoredAccount | undefined,
): EventActor {
  if (account !== undefined) return actorOfAccount(account);
  const username = escapedTextUpTo(sub, SUB_CHARS_MAX);
  return { tenantId: tenantIdOf(authority), userId: null, username };
}

/** Callers may name any issuer. */
function named(issuer: string | undefined): { readonly issuer?: string } {
  return issuer === undefined ? {} : { issuer: escapedTextUpTo(issuer, SUB_CHARS_MAX) };
}
