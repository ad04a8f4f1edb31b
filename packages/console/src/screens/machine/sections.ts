/** Who may see the parts of the system: its sections, tenants, webhooks and erasures. */
import {
  administersInstallation,
  type Caller,
  isAdministrator,
  may,
} from '../../session/caller.js';

/** Returns whether a caller sees the tenants of the installation. */
export const seesTenants = (caller: Caller): boolean => may(caller, 'tenant_inspect');

/** Returns whether a caller sees the webhooks and the erasures of its tenant. */
export const administersTenant = (caller: Caller): boolean => may(caller, 'credential_admin');

const sections = {
  now: isAdministrator,
  traffic: administersInstallation,
  snapshots: administersInstallation,
  retention: administersTenant,
} as const;

/** The name of a section of the screen System. */
export type SystemSection = keyof typeof sections;

/** Returns the sections that a caller may see, in their order. */
export function systemSections(caller: Caller): readonly SystemSection[] {
  const names = Object.keys(sections) as SystemSection[];
  return names.filter((name) => sections[name](caller));
}
