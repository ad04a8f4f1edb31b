/** The roles that people are invited with: named sets of capabilities that exist without them. */
import * as v from 'valibot';
import {
  canonicalCapabilities,
  type Capability,
  globalCapabilities,
  type GlobalCapability,
} from '../../../kernel/access/capability.js';
import type { Scope } from '../../../kernel/access/scope.js';
import { named } from '../../../contract/schema/json-schema.js';
import type { CredentialSpec } from '../../tenancy/credential/schema.js';

/** What a role gives in a tenant. */
interface TenantRole {
  readonly capabilities: readonly Capability[];
  /** Roles of the account. */
  readonly roles: readonly string[];
}

const reads: readonly Capability[] = ['memory_read', 'experience_read', 'tool_read'];

/** The roles, from the least to the most. */
const roleNames = ['reader', 'writer', 'proposer', 'reviewer', 'admin'] as const;

const tenantRoles: Readonly<Record<(typeof roleNames)[number], TenantRole>> = {
  reader: { capabilities: reads, roles: ['Read'] },
  writer: { capabilities: [...reads, 'memory_write'], roles: ['Read', 'Write'] },
  proposer: { capabilities: [...reads, 'memory_propose'], roles: ['Read'] },
  reviewer: { capabilities: [...reads, 'memory_review'], roles: ['Read'] },
  admin: {
    capabilities: [
      ...reads,
      ...(['memory_write', 'memory_review'] as const),
      ...(['tool_admin', 'policy_admin', 'credential_admin'] as const),
    ],
    roles: ['Admin'],
  },
};

const globalRoles: Readonly<Partial<Record<(typeof roleNames)[number], GlobalRole>>> = {
  reader: { capabilities: ['tenant_inspect'], roles: ['Read'] },
  admin: { capabilities: globalCapabilities, roles: ['SuperAdmin'] },
};

/** What a role gives in the installation. */
export interface GlobalRole {
  readonly capabilities: readonly GlobalCapability[];
  readonly roles: readonly string[];
}

/** A role to invite somebody with. */
export const InvitedRole = v.pipe(v.picklist(roleNames), named('InvitedRole'));
export type InvitedRole = v.InferOutput<typeof InvitedRole>;

/** Returns the roles of an account that is invited to a tenant. */
export function accountRolesOf(role: InvitedRole): readonly string[] {
  return tenantRoles[role].roles;
}

/** Returns what the credential of somebody with a role may do in a tenant. */
export function specOfRole(
  role: InvitedRole,
  { username, scopes }: { readonly username: string; readonly scopes: readonly Scope[] },
): CredentialSpec {
  return {
    subject_id: username,
    capabilities: canonicalCapabilities(tenantRoles[role].capabilities),
    grants: [...scopes],
    expires_at_millis: null,
  };
}

/** Returns what a role gives in the installation; `undefined` for a role that is for tenants. */
export function globalRoleOf(role: InvitedRole): GlobalRole | undefined {
  return globalRoles[role];
}
