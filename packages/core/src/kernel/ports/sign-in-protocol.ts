/** OpenID Connect as a relying party speaks it, as a port. */
import { Port } from './port.js';

/** An issuer that vouches for people, and the client that we are there. */
export interface SignInTrust {
  /** Tenant part of the keys of the authority that named it. */
  readonly authority: string;
  /** The name of the issuer in its authority. */
  readonly name: string;
  /** Changes with every change of the settings. */
  readonly revision: number;
  /** Its URL, exactly. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
  /** What is asked for, with spaces between. */
  readonly scope: string;
}

/** What belongs to one sign-in. */
export interface SignInRound {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  /** The secret half of PKCE (RFC 7636). */
  readonly codeVerifier: string;
  /** Who completes it; a protocol should serve askers in turns. */
  readonly asker?: string | undefined;
}

/** Where to send a person, or why that is unknown. */
type SignInAddress =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The result of a sign-in at an issuer. */
type SignInProof =
  | { readonly kind: 'proved'; readonly claims: Readonly<Record<string, unknown>> }
  /** `reason` is one of ours, and repeats nothing that the issuer or the caller stated. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** Speaks to issuers. Its requests must not reach addresses inside its own network. */
export interface SignInProtocol {
  /** Returns the address of an issuer for a sign-in. Never rejects. */
  addressFor(trust: SignInTrust, round: SignInRound): Promise<SignInAddress>;
  /**
   * Exchanges the code in the query of a redirect, and verifies the ID token: signature, issuer,
   * audience, times and nonce. Never rejects.
   */
  redeem(
    trust: SignInTrust,
    round: SignInRound,
    query: string,
    nowMs: number,
  ): Promise<SignInProof>;
}

/** The protocol of a keep without one: no issuer can be asked. */
export const noSignInProtocol: SignInProtocol = {
  addressFor: () => Promise.resolve({ kind: 'unavailable', reason: 'no_protocol' }),
  redeem: () => Promise.resolve({ kind: 'unavailable', reason: 'no_protocol' }),
};

/** Speaks to issuers that people sign in by. */
export const signIns = new Port<SignInProtocol>('signIns');
