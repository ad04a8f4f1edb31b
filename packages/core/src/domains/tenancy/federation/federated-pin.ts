/** What the tokens of a federated credential depend on, beside the credential itself. */
import { subjectPin } from '../delegation/subject-pin.js';
import type { KnownLimits } from '../delegation/subject-store.js';
import type { StoredCredential } from '../credential/credential-store.js';
import type { StoredIssuer } from './issuer-store.js';

/** Begins the verifier of a credential that an issuer proves. No digest of a secret has a colon. */
const FEDERATED = 'fed:';

/** Returns what is stored instead of the digest of a secret. */
export function federatedVerifier(credentialId: string): string {
  return FEDERATED + credentialId;
}

/** Returns a text that changes with every change of the issuer, and as {@link subjectPin} does. */
export function federatedPin(
  { verifier }: StoredCredential,
  { revision }: StoredIssuer,
  limits: KnownLimits | undefined,
): string {
  return subjectPin(`${verifier}:${revision}`, limits);
}
