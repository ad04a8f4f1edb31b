/** The sections of the machine, and who may see each. */
import {
  administersInstallation,
  type Caller,
  isAdministrator,
  may,
} from '../../session/caller.js';

const administersTenant = (caller: Caller): boolean => may(caller, 'credential_admin');

const sections = {
  now: isAdministrator,
  traffic: administersInstallation,
  snapshots: administersInstallation,
  tenants: (caller: Caller): boolean => may(caller, 'tenant_inspect'),
  webhooks: administersTenant,
  erasures: administersTenant,
} as const;

/** The name of a section. */
export type MachineSection = keyof typeof sections;

/** Returns the sections that a caller may see, in their order. */
export function machineSections(caller: Caller): readonly MachineSection[] {
  const names = Object.keys(sections) as MachineSection[];
  return names.filter((name) => sections[name](caller));
}
