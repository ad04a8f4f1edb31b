/** A person that an issuer has just vouched for. */
import { followsTextRule } from '../../../contract/schema/text.js';
import type { AssertionClaims } from '../../tenancy/federation/federation-policy.js';
import type { IssuerSubject } from '../account/stored-account.js';
import { ISSUER_NAME_BYTES_MAX } from '../sign-in/sign-in-limits.js';
import type { StoredSignInIssuer } from '../sign-in/settings-store.js';
import type { SingleUse } from '../sign-in/use-store.js';
import type { NamedIssuer } from './sign-in-issuer.js';

/** A person with the claims of its issuer. */
export interface ProvedPerson {
  readonly authority: string;
  /** The revision of the settings that the issuer was asked under. */
  readonly revision: number;
  readonly issuer: StoredSignInIssuer;
  readonly person: IssuerSubject;
  /** The id of the session at the issuer, if it states one. */
  readonly sid: string | null;
  readonly claims: AssertionClaims;
  readonly use: SingleUse;
}

/** Returns the person of verified claims; `undefined` if issuer or `sub` cannot be used. */
export function personOf(
  { settings: { authority, revision }, issuer }: NamedIssuer,
  claims: AssertionClaims,
  use: Omit<SingleUse, 'authority'>,
): ProvedPerson | undefined {
  const { iss, sub, sid } = claims;
  // The protocol compares it too, by rules that some issuers need.
  if (iss !== issuer.issuer || !isIssuerName(sub)) return undefined;
  return {
    ...{ authority, revision, issuer, claims },
    person: { issuer: issuer.issuer, sub },
    sid: isIssuerName(sid) ? sid : null,
    use: { authority, ...use },
  };
}

/** Returns whether a value is a name that an issuer gives to a person or a session. */
export function isIssuerName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    value.isWellFormed() &&
    followsTextRule(value, ISSUER_NAME_BYTES_MAX)
  );
}
