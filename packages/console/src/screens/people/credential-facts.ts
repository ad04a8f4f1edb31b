/** What a credential says about itself, in the words that people read. */
import type { Capability, Credential } from '@agentkeep/client';
import type { Query } from '../../routing/address.js';
import { scopeText } from '../../scopes/scope-query.js';
import { texts } from '../../texts/en/english.js';

const words = texts.credentials;

/** Whether a credential is good, and if not, why. */
export type CredentialState = 'live' | 'expired' | 'revoked';

/** What proves a credential. */
export type ProofKind = 'secret' | 'key' | 'issuer' | 'program';

/** Returns the state of a credential at a time. */
export function stateOf(credential: Credential, nowMs: number): CredentialState {
  const { revoked_at_millis: revoked, spec } = credential;
  if (revoked !== null) return 'revoked';
  const { expires_at_millis: expires } = spec;
  return expires !== null && expires <= nowMs ? 'expired' : 'live';
}

/** Returns what proves a credential. */
export function proofOf({ key_thumbprint: key, federation, program }: Credential): ProofKind {
  if (program !== undefined) return 'program';
  if (federation !== undefined) return 'issuer';
  return key === undefined ? 'secret' : 'key';
}

/** The name of each right. */
export const rightNames: Readonly<Record<Capability, string>> = words.rightNames;

/** Returns a right in words. */
export function rightText(right: Capability): string {
  return rightNames[right];
}

/** Returns the scopes of a credential in words. */
export function scopesText({ spec: { grants, scope_policy: policy } }: Credential): string {
  if (policy !== undefined) return words.everyScope;
  return grants.length === 0
    ? words.noScope
    : grants
        .map(
          (each) =>
            `${scopeText(each)} (${each.visibility === 'private' ? texts.scopes.isPrivate : texts.scopes.shared})`,
        )
        .join(', ');
}

/** Returns the query of the address of a credential. */
export function credentialQuery(id: string): Query {
  return { show: 'credentials', id };
}
