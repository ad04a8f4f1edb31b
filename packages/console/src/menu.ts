/** The screens that the navigation names, and who is offered which. */
import { seesLearning } from './screens/learning/learning.js';
import { administersTenant, seesTenants, systemSections } from './screens/machine/sections.js';
import { shownSections } from './screens/people/sections.js';
import { type Caller, isAdministrator, may } from './session/caller.js';
import type { texts } from './texts/en/english.js';

/** An entry of the navigation, and the screens that belong to it. */
export interface MenuEntry {
  readonly name: Exclude<keyof typeof texts.menu, 'label' | 'button'>;
  readonly screens: readonly [string, ...string[]];
  readonly isShown: (caller: Caller) => boolean;
}

/** Returns whether a caller reads memory. */
export const readsMemory = (caller: Caller): boolean => may(caller, 'memory_read');

/** A person who only reads and corrects memory is not offered what agents propose and learn. */
const seesWork = (caller: Caller): boolean =>
  caller.accountId === undefined ||
  isAdministrator(caller) ||
  workRights.some((right) => may(caller, right));

const workRights = [
  ...(['memory_review', 'memory_propose', 'credential_admin'] as const),
  ...(['policy_admin', 'experience_read', 'tool_read'] as const),
];

const reviews = (caller: Caller): boolean =>
  readsMemory(caller) && (may(caller, 'memory_review') || may(caller, 'memory_propose'));
const managesAccess = (caller: Caller): boolean => shownSections(caller).length > 0;
const seesSystem = (caller: Caller): boolean => systemSections(caller).length > 0;
const hasAccount = ({ accountId }: Caller): boolean => accountId !== undefined;

const menu: readonly MenuEntry[] = [
  { name: 'scopes', screens: ['', 'find', 'coding', 'scope', 'record'], isShown: readsMemory },
  { name: 'review', screens: ['review'], isShown: reviews },
  { name: 'branches', screens: ['branches'], isShown: (it) => readsMemory(it) && seesWork(it) },
  { name: 'learning', screens: ['learning'], isShown: (it) => seesLearning(it) && seesWork(it) },
  { name: 'access', screens: ['access'], isShown: managesAccess },
  { name: 'audit', screens: ['audit'], isShown: isAdministrator },
  { name: 'system', screens: ['system'], isShown: seesSystem },
  { name: 'tenants', screens: ['tenants'], isShown: seesTenants },
  { name: 'webhooks', screens: ['webhooks'], isShown: administersTenant },
  { name: 'erasures', screens: ['erasures'], isShown: administersTenant },
  { name: 'account', screens: ['account'], isShown: hasAccount },
];

/** Returns the entries that a caller is offered. */
export function menuOf(caller: Caller): readonly MenuEntry[] {
  return menu.filter(({ isShown }) => isShown(caller));
}

/**
 * Returns the screen that a caller begins with: `nothing` if there is none to offer. The
 * installation has no memory, so it begins with its system.
 */
export function firstScreen(caller: Caller): string {
  const screens = menuOf(caller).map((entry) => entry.screens[0]);
  if (caller.tenantId === undefined && screens.includes('system')) return 'system';
  return screens[0] ?? 'nothing';
}
