/** The sections of the screen Access, and who may see each. */
import {
  administersInstallation,
  type Caller,
  isAdministrator,
  may,
} from '../../session/caller.js';

const managesCredentials = (caller: Caller): boolean => may(caller, 'credential_admin');

const sections = {
  credentials: managesCredentials,
  reach: managesCredentials,
  issuers: managesCredentials,
  accounts: isAdministrator,
  signIn: isAdministrator,
  limits: administersInstallation,
} as const;

/** The name of a section. */
export type SectionName = keyof typeof sections;

/** Returns the sections that a caller may see, in their order. */
export function shownSections(caller: Caller): readonly SectionName[] {
  const names = Object.keys(sections) as SectionName[];
  return names.filter((name) => sections[name](caller));
}
