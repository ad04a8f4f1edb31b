/**
 * Capabilities, and the roles that name sets of them.
 *
 * The capabilities of credentials of the installation, in canonical order
 * (docs/contract/installation.md#ins-11).
 *
 * Roles of accounts. Two carry rights; all others are only stored and shown.
 */
import * as v from 'valibot';
import { deepFreeze } from '../../contract/deep-freeze.js';
import { named } from '../../contract/schema/json-schema.js';

/** All capabilities. None implies another. */
export const capabilities = deepFreeze([
  'memory_read',
  'memory_write',
  'memory_propose',
  'memory_review',
  'procedure_propose',
  'procedure_evaluate',
  'experience_read',
  'experience_write',
  'experience_report',
  'tool_read',
  'tool_develop',
  'tool_report',
  'tool_admin',
  'policy_admin',
  'credential_admin',
  'act_for',
] as const);

/** A right to perform one kind of action. */
export const Capability = v.pipe(v.picklist(capabilities), named('Capability'));
export type Capability = v.InferOutput<typeof Capability>;

/** One capability, or several of which one is enough. */
export type RequiredCapability = Capability | readonly Capability[];

/** Returns each capability once, in canonical order, as it is stored and shown. */
export function canonicalCapabilities(given: readonly Capability[]): Capability[] {
  return capabilities.filter((capability) => given.includes(capability));
}

/** All capabilities. None implies another. */
export const globalCapabilities = deepFreeze([
  'tenant_create',
  'tenant_inspect',
  'tenant_admin',
  'global_credential_admin',
] as const);

/** A right to perform one kind of action on the installation. */
export const GlobalCapability = v.pipe(v.picklist(globalCapabilities), named('GlobalCapability'));
export type GlobalCapability = v.InferOutput<typeof GlobalCapability>;

/** Returns each capability once, in canonical order, as it is stored and shown. */
export function canonicalGlobalCapabilities(
  given: readonly GlobalCapability[],
): GlobalCapability[] {
  return globalCapabilities.filter((capability) => given.includes(capability));
}

/** A role with rights on the account surface. SuperAdmin includes Admin. */
export type AdminRole = 'Admin' | 'SuperAdmin';

/** Returns the highest role with rights among the roles of an account, or null. */
export function adminRoleOf(roles: readonly string[]): AdminRole | null {
  if (roles.includes('SuperAdmin')) return 'SuperAdmin';
  return roles.includes('Admin') ? 'Admin' : null;
}
