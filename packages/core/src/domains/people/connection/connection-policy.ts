/** What a program may do for the account that connected it (docs/contract/oauth.md). */
import type { Capability } from '../../../kernel/access/capability.js';
import { commonAuthority, coversScope } from '../../../kernel/access/grant-policy.js';
import type { ActingCredential } from '../../../kernel/access/principal.js';
import type { Scope } from '../../../kernel/access/scope.js';
import type { ProgramAccess } from '../../tenancy/credential/connected-program.js';

const capabilitiesOf: Readonly<Record<ProgramAccess, readonly Capability[]>> = {
  read: ['memory_read', 'experience_read', 'tool_read'],
  write: ['memory_write', 'memory_propose', 'experience_write'],
  learn: ['procedure_propose', 'procedure_evaluate'],
};

/** Returns the capabilities that an access gives, of those that the account has. */
export function programCapabilities(
  access: readonly ProgramAccess[],
  { capabilities: held }: ActingCredential['spec'],
): Capability[] {
  return access.flatMap((each) => capabilitiesOf[each]).filter((each) => held.includes(each));
}

/** Returns the kinds of access that an account can give. */
export function givableAccess({ spec }: ActingCredential): ProgramAccess[] {
  const all = Object.keys(capabilitiesOf) as ProgramAccess[];
  return all.filter((access) => programCapabilities([access], spec).length > 0);
}

/** Returns whether an account can give a scope. */
export function isGivableScope({ spec }: ActingCredential, scope: Scope): boolean {
  return coversScope(spec, scope);
}

/** Returns the spec that a program acts with: what was approved and the account may do now. */
export function connectedSpec(
  { spec }: ActingCredential,
  { spec: ofAccount }: ActingCredential,
): ActingCredential['spec'] {
  return {
    subject_id: spec.subject_id,
    capabilities: spec.capabilities.filter((each) => ofAccount.capabilities.includes(each)),
    expires_at_millis: spec.expires_at_millis,
    ...commonAuthority(spec, ofAccount),
  };
}
