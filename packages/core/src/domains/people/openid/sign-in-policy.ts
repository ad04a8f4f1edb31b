/**
 * Which rule of an issuer applies to a person, how a new account is called, and from whom new
 * settings take a way in. Pure.
 */
import type { ClaimPath } from '../../tenancy/credential/federation-rule.js';
import {
  type AssertionClaims,
  claimAt,
  haveClaims,
} from '../../tenancy/federation/federation-policy.js';
import type { AccountLink, StoredAccount } from '../account/stored-account.js';
import type { StoredSignInIssuer, StoredSignInSettings } from '../sign-in/settings-store.js';
import type { SignInRule } from '../sign-in/schema.js';

/** Returns the first rule that matches the claims of a person, or `undefined`. */
export function matchingRule(
  rules: readonly SignInRule[],
  claims: AssertionClaims,
): SignInRule | undefined {
  return rules.find((rule) => haveClaims(claims, rule.claims));
}

/** Returns the username that claims state, or `undefined` if it is no text. */
export function statedUsername(
  path: ClaimPath | null,
  claims: AssertionClaims,
): string | undefined {
  const stated = claimAt(claims, path ?? ['sub']);
  return typeof stated === 'string' ? stated : undefined;
}

/** How the people of an authority sign in. */
export type Ways = Pick<StoredSignInSettings, 'allowsPasswords' | 'issuers'>;

/** How they sign in where nothing was ever stated. */
export const UNSTATED_WAYS: Ways = { allowsPasswords: true, issuers: [] };

/**
 * Returns whether an account signed in by its password, or by an issuer as it was, and can't do so
 * under new settings (docs/contract/openid.md#oid-35).
 */
export function takesWayIn(
  { links }: Pick<StoredAccount, 'links'>,
  before: Ways,
  after: Ways,
): boolean {
  if (before.allowsPasswords && !after.allowsPasswords) return true;
  return (links ?? []).some((link) => {
    const was = wayOf(link, before);
    return was !== undefined && was !== wayOf(link, after);
  });
}

/** Returns what decides whether a link lets its account in; `undefined` if it doesn't. */
function wayOf({ issuer: url, follows_rules }: AccountLink, { issuers }: Ways): string | undefined {
  const named = issuers.find(({ issuer, is_blocked }) => issuer === url && !is_blocked);
  if (named === undefined) return undefined;
  const { client_id, client_secret, scope, rules }: StoredSignInIssuer = named;
  return JSON.stringify([client_id, client_secret, scope, follows_rules ? rules : []]);
}
