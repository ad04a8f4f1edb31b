/** Verifies signed statements of issuers that tenants trust, as a port. */
import { Port } from './port.js';

/** The trust that an assertion is verified with. */
export interface AssertionTrust {
  readonly tenantId: string;
  /** The name of the issuer in its tenant. */
  readonly name: string;
  /** Changes with every change of the trust. */
  readonly revision: number;
  /** The `iss` of assertions; null if it is not compared. */
  readonly issuer: string | null;
  readonly audience: string;
  readonly keys:
    | { readonly mode: 'discovery' }
    | { readonly mode: 'address'; readonly jwks_uri: string }
    | { readonly mode: 'inline'; readonly keys: readonly object[] };
  /** The claims that must be there. Default: `sub` and `exp`. */
  readonly requiredClaims?: readonly string[];
  /**
   * The values of `typ` that assertions may have, in lower case without `application/`. Default:
   * `jwt`, `jose` and `at+jwt`. An assertion may have none.
   */
  readonly types?: readonly string[];
}

/** The result of a verification. */
export type AssertionCheck =
  | { readonly kind: 'verified'; readonly claims: Readonly<Record<string, unknown>> }
  /** `reason` is one of ours, and repeats nothing that the assertion states. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Verifies assertions. */
export interface Assertions {
  /** Verifies form, signature, issuer, audience and times. Fetches keys that are not known. */
  verify(assertion: string, trust: AssertionTrust, nowMs: number): Promise<AssertionCheck>;
}

/** Verifies what issuers state that tenants trust. */
export const assertions = new Port<Assertions>('assertions');
