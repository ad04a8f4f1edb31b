/** The screens that the navigation names, and who is offered which. */
import { seesLearning } from './screens/learning/learning.js';
import { machineSections } from './screens/machine/sections.js';
import { shownSections } from './screens/people/sections.js';
import { type Caller, isAdministrator, may } from './session/caller.js';
import { texts } from './texts/en.js';

/** An entry of the navigation, and the screens that belong to it. */
export interface MenuEntry {
  readonly text: string;
  readonly screens: readonly [string, ...string[]];
  readonly isShown: (caller: Caller) => boolean;
}

/** Returns whether a caller reads memory. */
export const readsMemory = (caller: Caller): boolean => may(caller, 'memory_read');

const managesPeople = (caller: Caller): boolean => shownSections(caller).length > 0;
const seesMachine = (caller: Caller): boolean => machineSections(caller).length > 0;

const menu: readonly MenuEntry[] = [
  { text: texts.menu.scopes, screens: ['', 'find', 'scope', 'record'], isShown: readsMemory },
  { text: texts.menu.review, screens: ['review'], isShown: readsMemory },
  { text: texts.menu.branches, screens: ['branches'], isShown: readsMemory },
  { text: texts.menu.learning, screens: ['learning'], isShown: seesLearning },
  { text: texts.menu.people, screens: ['people'], isShown: managesPeople },
  { text: texts.menu.audit, screens: ['audit'], isShown: isAdministrator },
  { text: texts.menu.machine, screens: ['machine'], isShown: seesMachine },
];

/** Returns the entries that a caller is offered. */
export function menuOf(caller: Caller): readonly MenuEntry[] {
  return menu.filter(({ isShown }) => isShown(caller));
}

/**
 * Returns the screen that a caller begins with: `nothing` if there is none to offer. The
 * installation has no memory, so it begins with the machine.
 */
export function firstScreen(caller: Caller): string {
  const screens = menuOf(caller).map((entry) => entry.screens[0]);
  if (caller.tenantId === undefined && screens.includes('machine')) return 'machine';
  return screens[0] ?? 'nothing';
}
