/** What a credential may give to those that an issuer proves (docs/contract/federation.md). */
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { Capability } from '../../../kernel/access/capability.js';
import type { CredentialSpec } from '../credential/schema.js';

/** Rights over the tenant. */
const OVER_TENANT: readonly Capability[] = ['tool_admin', 'policy_admin', 'credential_admin'];

/**
 * Returns why a spec is beyond its maker, or `undefined`. Access to data may be given by every
 * administrator of credentials, as with secrets; rights over the tenant and time may not.
 */
export function beyondMaker(
  { capabilities, expires_at_millis: end }: CredentialSpec,
  { spec: maker }: ActingCredential,
): string | undefined {
  const missing = capabilities.find(
    (each) => OVER_TENANT.includes(each) && !maker.capabilities.includes(each),
  );
  if (missing !== undefined) {
    return `Your credential lacks \`${missing}\`, so it cannot let an issuer give it. Leave it out.`;
  }
  const makerEnd = maker.expires_at_millis;
  if (makerEnd === null || (end !== null && end <= makerEnd)) return undefined;
  return (
    `Your credential ends at ${makerEnd}, and what it lets an issuer give cannot live longer. ` +
    'Set `spec.expires_at_millis` to that time or earlier.'
  );
}
